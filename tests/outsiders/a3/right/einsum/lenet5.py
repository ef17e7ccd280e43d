"""Everything as einsum over windows and one-hot matrices."""

from __future__ import annotations

import math

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from provided import conv2d_backward, conv2d_forward


def _pair(p):
    return (p, p) if isinstance(p, (int, np.integer)) else tuple(p)


def _places(side, k, s, dtype):
    """One-hot: [i, u, r] is 1 where place u of window i is pixel r."""
    i, u, r = np.ogrid[: (side - k) // s + 1, :k, :side]
    return (s * i + u == r).astype(dtype)


def _windows(x, k, s):
    return sliding_window_view(x, k, axis=(2, 3))[:, :, :: s[0], :: s[1]]


def _pad(x, p):
    return np.pad(x, ((0, 0), (0, 0), (p[0], p[0]), (p[1], p[1])), constant_values=-np.inf)


def max_pool_forward(x, kernel_size, *, stride=None, padding=0):
    k, p = _pair(kernel_size), _pair(padding)
    s = k if stride is None else _pair(stride)
    for side, kk, pp in zip(x.shape[2:], k, p):
        if pp > kk // 2 or kk > side + 2 * pp:
            raise ValueError("padding or window too large")
    return _windows(_pad(x, p), k, s).max(axis=(4, 5))


def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    k, p = _pair(kernel_size), _pair(padding)
    s = k if stride is None else _pair(stride)
    xp = _pad(x, p)
    w = _windows(xp, k, s)
    wins = (w == w.max(axis=(4, 5), keepdims=True)).astype(x.dtype)  # winners share
    fraction = wins / np.einsum("ncijuv->ncij", wins)[..., None, None]
    rows, columns = (_places(xp.shape[2 + a], k[a], s[a], x.dtype) for a in (0, 1))
    dx = np.einsum("ncij,ncijuv,iur,jvq->ncrq", dy, fraction, rows, columns, optimize=True)
    return dx[:, :, p[0] : p[0] + x.shape[2], p[1] : p[1] + x.shape[3]]


def avg_pool_forward(x, kernel_size, *, stride=None):
    k = _pair(kernel_size)
    s = k if stride is None else _pair(stride)
    return np.einsum("ncijuv->ncij", _windows(x, k, s)) / (k[0] * k[1])


def avg_pool_backward(dy, x, kernel_size, *, stride=None):
    k = _pair(kernel_size)
    s = k if stride is None else _pair(stride)
    rows, columns = (_places(x.shape[2 + a], k[a], s[a], x.dtype) for a in (0, 1))
    return np.einsum("ncij,iur,jvq->ncrq", dy, rows, columns, optimize=True) / (k[0] * k[1])


def min_pool_zero_fraction(x, kernel_size):
    k = _pair(kernel_size)
    return float(1 - np.mean((_windows(x, k, k) > 0).all(axis=(4, 5))))


def flatten(x):
    return x.reshape(x.shape[0], math.prod(x.shape[1:]))


def linear_forward(x, w, b):
    return np.einsum("ni,oi->no", x, w) + np.einsum("o->o", b)


def linear_backward(dy, x, w):
    return np.einsum("no,oi->ni", dy, w), np.einsum("no,ni->oi", dy, x), np.einsum("no->o", dy)


def shift_image(x, down, right):
    height, width = x.shape[-2:]
    d, r = max(-height, min(down, height)), max(-width, min(right, width))
    y = np.zeros_like(x)
    y[..., max(d, 0) : height + min(d, 0), max(r, 0) : width + min(r, 0)] = x[
        ..., max(-d, 0) : height + min(-d, 0), max(-r, 0) : width + min(-r, 0)
    ]
    return y


def equivariance_error(layer, x, shift, *, stride=1, margin=0):
    got = layer(shift_image(x, *shift))
    want = shift_image(layer(x), *(s // stride for s in shift))
    inside = np.s_[:, :, margin : got.shape[2] - margin, margin : got.shape[3] - margin]
    off = float(np.abs(got[inside] - want[inside]).max())
    size = float(np.abs(want[inside]).max())
    return off / size if size else (math.inf if off else 0.0)


def invariance_rate(layer, x, shifts):
    before = np.asarray(layer(x), dtype=np.float64).reshape(len(x), -1)

    def rate(shift):
        after = np.asarray(layer(shift_image(x, *shift)), dtype=np.float64).reshape(len(x), -1)
        return np.mean((np.abs(after - before) <= 1e-12).all(axis=1))

    return np.array([rate(shift) for shift in shifts], dtype=np.float64)


def parameter_table(size=32, in_channels=1, channels=(6, 16), kernel_size=5, hidden=(120, 84), classes=10):
    side = ((size - kernel_size + 1) // 2 - kernel_size + 1) // 2
    kk = kernel_size * kernel_size
    sides = {
        "conv1": (in_channels * kk, channels[0]),
        "conv2": (channels[0] * kk, channels[1]),
        "fc1": (channels[1] * side * side, hidden[0]),
        "fc2": hidden,
        "fc3": (hidden[1], classes),
    }
    table = {name: (i + 1) * o for name, (i, o) in sides.items()}
    return table | {"total": sum(table.values())}


def dense_parameter_count(in_shape, out_shape):
    return math.prod(out_shape) * (math.prod(in_shape) + 1)


def locally_connected_parameter_count(in_shape, out_shape, kernel_size):
    return math.prod(out_shape) * (in_shape[0] * math.prod(_pair(kernel_size)) + 1)


def _relu(z):
    return np.where(z > 0, z, z.dtype.type(0))


def _forward(params, x):
    get = params.__getitem__
    z1 = conv2d_forward(x, get("conv1.weight"), get("conv1.bias"))
    a1 = _relu(z1)
    p1 = max_pool_forward(a1, 2)
    z2 = conv2d_forward(p1, get("conv2.weight"), get("conv2.bias"))
    a2 = _relu(z2)
    p2 = max_pool_forward(a2, 2)
    f = flatten(p2)
    z3 = linear_forward(f, get("fc1.weight"), get("fc1.bias"))
    a3 = _relu(z3)
    z4 = linear_forward(a3, get("fc2.weight"), get("fc2.bias"))
    a4 = _relu(z4)
    return z1, a1, p1, z2, a2, p2, f, z3, a3, z4, a4, linear_forward(a4, get("fc3.weight"), get("fc3.bias"))


def lenet5_forward(params, x):
    return _forward(params, x)[-1]


def lenet5_loss_and_gradients(params, x, target):
    z1, a1, p1, z2, a2, p2, f, z3, a3, z4, a4, z = _forward(params, x)
    hot = (np.arange(10) == target[:, None]).astype(np.float64)
    z64 = z.astype(np.float64)
    e = np.exp(z64 - z64.max(axis=1, keepdims=True))
    total = np.einsum("nk->n", e)
    others = np.einsum("nk,nk->n", e, 1 - hot)  # without the right class: exact however sure the network is
    top = z64.max(axis=1)
    best = np.arange(10) == z64.argmax(axis=1)[:, None]
    rest = np.einsum("nk,nk->n", e, (~best).astype(np.float64))
    loss = float(np.mean(top - np.einsum("nk,nk->n", z64, hot) + np.log1p(rest)))
    dz = ((e * (1 - hot) - hot * others[:, None]) / total[:, None] / len(x)).astype(z.dtype)
    g = {}
    d, g["fc3.weight"], g["fc3.bias"] = linear_backward(dz, a4, params["fc3.weight"])
    d, g["fc2.weight"], g["fc2.bias"] = linear_backward(d * (z4 > 0), a3, params["fc2.weight"])
    d, g["fc1.weight"], g["fc1.bias"] = linear_backward(d * (z3 > 0), f, params["fc1.weight"])
    d = max_pool_backward(d.reshape(p2.shape), a2, 2) * (z2 > 0)
    d, g["conv2.weight"], g["conv2.bias"] = conv2d_backward(d, p1, params["conv2.weight"])
    d = max_pool_backward(d, a1, 2) * (z1 > 0)
    _, g["conv1.weight"], g["conv1.bias"] = conv2d_backward(d, x, params["conv1.weight"])
    return loss, g


def sgd_momentum_step(params, grads, velocity, *, lr, momentum=0.9):
    v = {key: momentum * velocity[key] + grads[key] for key in params}
    return {key: params[key] - lr * v[key] for key in params}, v


def train(params, x, y, batches, *, lr, momentum=0.9):
    velocity = {key: np.zeros_like(value) for key, value in params.items()}
    losses = np.empty(len(batches), dtype=np.float64)
    for step, batch in enumerate(batches):
        losses[step], grads = lenet5_loss_and_gradients(params, x[batch], y[batch])
        params, velocity = sgd_momentum_step(params, grads, velocity, lr=lr, momentum=momentum)
    return dict(params), losses
