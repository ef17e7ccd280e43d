"""Assignment 3 in as few statements as I can."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view as windows
from provided import conv2d_backward, conv2d_forward

two = lambda p: tuple(p) if np.ndim(p) else (p, p)  # noqa: E731
sizes = lambda k, s, p=0: (two(k), two(k if s is None else s), two(p))  # noqa: E731


def places(length, k, s, p, outputs, dtype):
    """1 where the place r is the place u of the window i: (length, outputs, k)."""
    r, i, u = np.ogrid[:length, :outputs, :k]
    return (r == s * i + u - p).astype(dtype)


def max_pool_forward(x, kernel_size, *, stride=None, padding=0):
    (kh, kw), (sh, sw), (ph, pw) = sizes(kernel_size, stride, padding)
    if 2 * ph > kh or 2 * pw > kw or kh > x.shape[2] + 2 * ph or kw > x.shape[3] + 2 * pw:
        raise ValueError("the window does not suit")
    xp = np.pad(x, ((0, 0), (0, 0), (ph, ph), (pw, pw)), constant_values=-np.inf)
    return windows(xp, (kh, kw), axis=(2, 3))[:, :, ::sh, ::sw].max(axis=(4, 5))


def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    (kh, kw), (sh, sw), (ph, pw) = sizes(kernel_size, stride, padding)
    xp = np.pad(x, ((0, 0), (0, 0), (ph, ph), (pw, pw)), constant_values=-np.inf)
    w = windows(xp, (kh, kw), axis=(2, 3))[:, :, ::sh, ::sw].reshape(*dy.shape, kh * kw)
    won = (np.arange(kh * kw) == w.argmax(-1)[..., None]).reshape(*dy.shape, kh, kw).astype(dy.dtype)
    rows, columns = (
        places(x.shape[2], kh, sh, ph, dy.shape[2], dy.dtype),
        places(x.shape[3], kw, sw, pw, dy.shape[3], dy.dtype),
    )
    return np.einsum("ncij,ncijuv,riu,qjv->ncrq", dy, won, rows, columns, optimize=True)


def avg_pool_forward(x, kernel_size, *, stride=None):
    k, (sh, sw), _ = sizes(kernel_size, stride)
    return windows(x, k, axis=(2, 3))[:, :, ::sh, ::sw].mean(axis=(4, 5))


def avg_pool_backward(dy, x, kernel_size, *, stride=None):
    k, s, _ = sizes(kernel_size, stride)
    rows, columns = (places(x.shape[a], k[a - 2], s[a - 2], 0, dy.shape[a], dy.dtype).sum(-1) / k[a - 2] for a in (2, 3))
    return np.einsum("ncij,ri,qj->ncrq", dy, rows, columns, optimize=True)


def min_pool_zero_fraction(x, kernel_size):
    return float((-max_pool_forward(-np.maximum(x, 0), kernel_size) == 0).mean())


def flatten(x):
    return x.reshape(len(x), np.prod(x.shape[1:]))


def linear_forward(x, w, b):
    return np.einsum("ni,oi->no", x, w) + b


def linear_backward(dy, x, w):
    return np.einsum("no,oi->ni", dy, w), np.einsum("no,ni->oi", dy, x), np.einsum("no->o", dy)


def shift_image(x, down, right):
    H, W = x.shape[-2:]
    down, right = max(-H, min(H, down)), max(-W, min(W, right))
    d, r = abs(down), abs(right)
    padded = np.pad(x, [(0, 0)] * (x.ndim - 2) + [(d, d), (r, r)])
    return padded[..., d - down : d - down + H, r - right : r - right + W]


def equivariance_error(layer, x, shift, *, stride=1, margin=0):
    a, b = layer(shift_image(x, *shift)), shift_image(layer(x), *(s // stride for s in shift))
    a, b = (y[:, :, margin : y.shape[2] - margin, margin : y.shape[3] - margin] for y in (a, b))
    top, bottom = float(abs(a - b).max()), float(abs(b).max())
    return top / bottom if bottom else np.inf if top else 0.0


def invariance_rate(layer, x, shifts):
    return np.array(
        [
            (abs(layer(shift_image(x, *s)) - layer(x)).reshape(len(x), -1).max(axis=1) <= 1e-12).mean()
            for s in shifts
        ],
        dtype=np.float64,
    )


def parameter_table(size=32, in_channels=1, channels=(6, 16), kernel_size=5, hidden=(120, 84), classes=10):
    k, (f, g), (p, q) = kernel_size, channels, hidden
    side = ((size - k + 1) // 2 - k + 1) // 2
    sums = f * (in_channels * k * k + 1), g * (f * k * k + 1), p * (g * side * side + 1), q * (p + 1), classes * (q + 1)
    return dict(zip(("total", "fc3", "fc2", "fc1", "conv2", "conv1"), (sum(sums), *reversed(sums))))


def dense_parameter_count(in_shape, out_shape):
    (c, h, w), (f, r, q) = in_shape, out_shape
    return f * r * q * (c * h * w + 1)


def locally_connected_parameter_count(in_shape, out_shape, kernel_size):
    return dense_parameter_count((in_shape[0], *two(kernel_size)), out_shape)


def lenet5_forward(params, x):
    p = lambda name: (params[f"{name}.weight"], params[f"{name}.bias"])  # noqa: E731
    relu = lambda a: a.clip(min=0)  # noqa: E731
    a = max_pool_forward(relu(conv2d_forward(x, *p("conv1"))), 2)
    a = max_pool_forward(relu(conv2d_forward(a, *p("conv2"))), 2)
    return linear_forward(relu(linear_forward(relu(linear_forward(flatten(a), *p("fc1"))), *p("fc2"))), *p("fc3"))


def lenet5_loss_and_gradients(params, x, target):
    w1, b1, w2, b2, w3, b3, w4, b4, w5, b5 = (
        params[f"{layer}.{part}"] for layer in ("conv1", "conv2", "fc1", "fc2", "fc3") for part in ("weight", "bias")
    )
    n = np.arange(len(x))
    r1 = conv2d_forward(x, w1, b1).clip(min=0)
    p1 = max_pool_forward(r1, 2)
    r2 = conv2d_forward(p1, w2, b2).clip(min=0)
    p2 = max_pool_forward(r2, 2)
    v = flatten(p2)
    r3 = linear_forward(v, w3, b3).clip(min=0)
    r4 = linear_forward(r3, w4, b4).clip(min=0)
    z = linear_forward(r4, w5, b5)
    z = z - z.max(axis=1, keepdims=True)
    e = np.exp(z)
    loss = float((np.log(e.sum(axis=1)) - z[n, target]).mean(dtype=np.float64))
    dz = e / e.sum(axis=1, keepdims=True)
    dz[n, target] -= 1
    d, dw5, db5 = linear_backward(dz / len(n), r4, w5)
    d, dw4, db4 = linear_backward(np.where(r4 > 0, d, 0 * d), r3, w4)
    d, dw3, db3 = linear_backward(np.where(r3 > 0, d, 0 * d), v, w3)
    d = max_pool_backward(d.reshape(p2.shape), r2, 2)
    d, dw2, db2 = conv2d_backward(np.where(r2 > 0, d, 0 * d), p1, w2)
    d = max_pool_backward(d, r1, 2)
    _, dw1, db1 = conv2d_backward(np.where(r1 > 0, d, 0 * d), x, w1)
    found = {"conv1.weight": dw1, "conv1.bias": db1, "conv2.weight": dw2, "conv2.bias": db2, "fc1.weight": dw3}
    return loss, found | {"fc1.bias": db3, "fc2.weight": dw4, "fc2.bias": db4, "fc3.weight": dw5, "fc3.bias": db5}


def sgd_momentum_step(params, grads, velocity, *, lr, momentum=0.9):
    v = {k: momentum * velocity[k] + grads[k] for k in params}
    return {k: params[k] - lr * v[k] for k in params}, v


def train(params, x, y, batches, *, lr, momentum=0.9):
    v, losses = {k: 0 * p for k, p in params.items()}, []
    for i in batches:
        loss, g = lenet5_loss_and_gradients(params, x[i], y[i])
        params, v = sgd_momentum_step(params, g, v, lr=lr, momentum=momentum)
        losses += [loss]
    return params, np.array(losses, np.float64)
