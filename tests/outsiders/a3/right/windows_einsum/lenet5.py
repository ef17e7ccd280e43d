from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from provided import conv2d_backward, conv2d_forward


def _two(p):
    return (p, p) if np.ndim(p) == 0 else tuple(p)


def _view(x, k, s):
    """(N, C, Ho, Wo, kh, kw), writable when x is ours."""
    return sliding_window_view(x, k, axis=(2, 3), writeable=x.flags.writeable)[:, :, :: s[0], :: s[1]]


def _pad(x, p):
    return np.pad(x, ((0, 0), (0, 0), (p[0],) * 2, (p[1],) * 2), constant_values=-np.inf) if any(p) else x


def max_pool_forward(x, kernel_size, *, stride=None, padding=0):
    k, p = _two(kernel_size), _two(padding)
    s = k if stride is None else _two(stride)
    if any(q > m // 2 for q, m in zip(p, k)) or any(m > d + 2 * q for m, d, q in zip(k, x.shape[2:], p)):
        raise ValueError(f"window {k}, padding {p}, image {x.shape[2:]}")
    return _view(_pad(x, p), k, s).max((-2, -1))


def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    """Ties share equally."""
    k, p = _two(kernel_size), _two(padding)
    s = k if stride is None else _two(stride)
    dtype = np.result_type(dy, x)
    xp = _pad(x, p)
    win = _view(xp, k, s)
    hit = win == win.max((-2, -1), keepdims=True)
    share = (hit * (dy / hit.sum((-2, -1)).astype(dtype))[..., None, None]).astype(dtype)
    dxp = np.zeros(xp.shape, dtype)
    ho, wo = dy.shape[2:]
    for u, v in np.ndindex(*k):
        dxp[:, :, u : u + s[0] * ho : s[0], v : v + s[1] * wo : s[1]][:, :, :ho, :wo] += share[..., u, v]
    return dxp[:, :, p[0] : p[0] + x.shape[2], p[1] : p[1] + x.shape[3]]


def avg_pool_forward(x, kernel_size, *, stride=None):
    k = _two(kernel_size)
    return np.einsum("nchwuv->nchw", _view(x, k, k if stride is None else _two(stride))) / int(np.prod(k))


def _incidence(size, k, s, outputs, dtype):
    """A[i, r] = 1/k if output i sees pixel r."""
    offset = np.arange(size)[None] - s * np.arange(outputs)[:, None]
    return ((offset >= 0) & (offset < k)).astype(dtype) / k


def avg_pool_backward(dy, x, kernel_size, *, stride=None):
    k = _two(kernel_size)
    s = k if stride is None else _two(stride)
    dtype = np.result_type(dy, x)
    a, b = (_incidence(x.shape[2 + i], k[i], s[i], dy.shape[2 + i], dtype) for i in (0, 1))
    return np.einsum("ncij,ir,jq->ncrq", dy, a, b, optimize=True)


def min_pool_zero_fraction(x, kernel_size):
    k = _two(kernel_size)
    return float((_view(x, k, k).min((-2, -1)) <= 0).mean())


def flatten(x):
    return x.reshape(len(x), x[0].size)


def linear_forward(x, w, b):
    return np.einsum("ni,oi->no", x, w, optimize=True) + b


def linear_backward(dy, x, w):
    t = np.result_type(dy, x, w)
    dy, x, w = (a.astype(t, copy=False) for a in (dy, x, w))
    return np.einsum("no,oi->ni", dy, w), np.einsum("no,ni->oi", dy, x), np.einsum("no->o", dy)


def shift_image(x, down, right):
    h, w = x.shape[-2:]
    y = np.zeros_like(x, order="C", subok=False)
    if abs(down) < h and abs(right) < w:
        y[..., max(down, 0) : h + min(down, 0), max(right, 0) : w + min(right, 0)] = x[
            ..., max(-down, 0) : h + min(-down, 0), max(-right, 0) : w + min(-right, 0)
        ]
    return y


def equivariance_error(layer, x, shift, *, stride=1, margin=0):
    a = layer(shift_image(x, *shift))
    b = shift_image(layer(x), *(d // stride for d in shift))
    inner = np.s_[..., margin : a.shape[2] - margin, margin : a.shape[3] - margin]
    top, bottom = abs(a - b)[inner].max(), abs(b)[inner].max()
    return float(top / bottom) if bottom else (np.inf if top else 0.0)


def invariance_rate(layer, x, shifts):
    n = len(x)
    base = np.asarray(layer(x), np.float64).reshape(n, -1)
    moved = (np.asarray(layer(shift_image(x, *s)), np.float64).reshape(n, -1) for s in shifts)
    return np.fromiter(((np.abs(m - base).max(1) <= 1e-12).mean() for m in moved), np.float64)


def parameter_table(size=32, in_channels=1, channels=(6, 16), kernel_size=5, hidden=(120, 84), classes=10):
    c1, c2 = channels
    left = ((size - kernel_size + 1) // 2 - kernel_size + 1) // 2
    table = dict(
        conv1=c1 * (in_channels * kernel_size**2 + 1),
        conv2=c2 * (c1 * kernel_size**2 + 1),
        fc1=hidden[0] * (c2 * left**2 + 1),
        fc2=hidden[1] * (hidden[0] + 1),
        fc3=classes * (hidden[1] + 1),
    )
    return table | {"total": sum(table.values())}


def dense_parameter_count(in_shape, out_shape):
    (c, h, w), (f, ho, wo) = in_shape, out_shape
    return f * ho * wo * (c * h * w + 1)


def locally_connected_parameter_count(in_shape, out_shape, kernel_size):
    return dense_parameter_count((in_shape[0], *_two(kernel_size)), out_shape)


def _forward(p, x):
    tape = [x]
    for c in ("conv1", "conv2"):
        z = conv2d_forward(tape[-1], p[f"{c}.weight"], p[f"{c}.bias"])
        tape += [z, max_pool_forward(np.maximum(z, 0), 2)]
    tape.append(flatten(tape[-1]))
    for f in ("fc1", "fc2"):
        tape.append(np.maximum(linear_forward(tape[-1], p[f"{f}.weight"], p[f"{f}.bias"]), 0))
    return [*tape, linear_forward(tape[-1], p["fc3.weight"], p["fc3.bias"])]


def lenet5_forward(params, x):
    return _forward(params, x)[-1]


def lenet5_loss_and_gradients(params, x, target):
    x, z1, m1, z2, m2, v, a3, a4, z = _forward(params, x)
    n = len(x)
    z = z - z.max(1, keepdims=True)
    logp = z - np.log(np.exp(z).sum(1, keepdims=True))
    onehot = (target[:, None] == np.arange(z.shape[1])).astype(z.dtype)
    loss = -np.einsum("nk,nk->", logp, onehot) / n
    d, g = (np.exp(logp) - onehot) / n, {}
    for name, seen in (("fc3", a4), ("fc2", a3), ("fc1", v)):
        d, g[f"{name}.weight"], g[f"{name}.bias"] = linear_backward(d, seen, params[f"{name}.weight"])
        if name != "fc1":
            d = d * (seen > 0)
    d = d.reshape(m2.shape)
    for name, seen, z in (("conv2", m1, z2), ("conv1", x, z1)):
        d = max_pool_backward(d, np.maximum(z, 0), 2) * (z > 0)
        d, g[f"{name}.weight"], g[f"{name}.bias"] = conv2d_backward(d, seen, params[f"{name}.weight"])
    return float(loss), {key: g[key] for key in params}


def sgd_momentum_step(params, grads, velocity, *, lr, momentum=0.9):
    v = {k: float(momentum) * velocity[k] + grads[k] for k in params}
    return {k: params[k] - float(lr) * v[k] for k in params}, v


def train(params, x, y, batches, *, lr, momentum=0.9):
    v, losses = {k: 0 * a for k, a in params.items()}, []
    params = dict(params)
    for i in batches:
        loss, g = lenet5_loss_and_gradients(params, x[i], y[i])
        params, v = sgd_momentum_step(params, g, v, lr=lr, momentum=momentum)
        losses.append(loss)
    return params, np.array(losses, float)
