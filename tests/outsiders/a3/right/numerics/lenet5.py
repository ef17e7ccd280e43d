"""Assignment 3: log-space, shared ties, pooling one axis at a time."""

from __future__ import annotations

import math

import numpy as np
from provided import conv2d_backward, conv2d_forward


def _pair(p):
    h, w = np.broadcast_to(p, (2,)).tolist()
    return h, w


def _taps(x, axis, k, s):
    """The k places of all windows along one axis, each as a slice."""
    outputs = (x.shape[axis] - k) // s + 1
    for u in range(k):
        index = [slice(None)] * x.ndim
        index[axis] = slice(u, u + s * (outputs - 1) + 1, s)
        yield tuple(index)


def _padded(x, p):
    ph, pw = p
    return np.pad(x, ((0, 0), (0, 0), (ph, ph), (pw, pw)), mode="constant", constant_values=-np.inf)


def max_pool_forward(x, kernel_size, *, stride=None, padding=0):
    k, p = _pair(kernel_size), _pair(padding)
    s = k if stride is None else _pair(stride)
    for axis in (0, 1):
        if p[axis] > k[axis] // 2 or x.shape[2 + axis] + 2 * p[axis] < k[axis]:
            raise ValueError("window, padding and image do not go together")
    y = _padded(x, p)
    for axis in (0, 1):
        parts = [y[index] for index in _taps(y, 2 + axis, k[axis], s[axis])]
        y = parts[0].copy()
        for part in parts[1:]:
            np.maximum(y, part, out=y)
    return y


def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    """Ties share evenly, first those of a column within the window, then those of its row of maxima."""
    k, p = _pair(kernel_size), _pair(padding)
    s = k if stride is None else _pair(stride)
    xp = _padded(x, p)
    tall = xp[next(_taps(xp, 2, k[0], s[0]))]
    for index in _taps(xp, 2, k[0], s[0]):
        tall = np.maximum(tall, xp[index])
    d = _share(dy, tall, 3, k[1], s[1])
    d = _share(d, xp, 2, k[0], s[0])
    return d[:, :, p[0] : p[0] + x.shape[2], p[1] : p[1] + x.shape[3]]


def _share(dy, x, axis, k, s):
    indices = list(_taps(x, axis, k, s))
    top = x[indices[0]]
    for index in indices:
        top = np.maximum(top, x[index])
    count = sum((x[index] == top).astype(dy.dtype) for index in indices)
    dx = np.zeros(x.shape, dy.dtype)
    for index in indices:
        dx[index] += np.where(x[index] == top, dy / count, dy.dtype.type(0))
    return dx


def avg_pool_forward(x, kernel_size, *, stride=None):
    k = _pair(kernel_size)
    s = k if stride is None else _pair(stride)
    y = x
    for axis in (0, 1):
        y = sum(y[index] / k[axis] for index in _taps(y, 2 + axis, k[axis], s[axis]))
    return y


def avg_pool_backward(dy, x, kernel_size, *, stride=None):
    k = _pair(kernel_size)
    s = k if stride is None else _pair(stride)
    d = dy
    for axis in (1, 0):
        shape = list(d.shape)
        shape[2 + axis] = x.shape[2 + axis]
        wide = np.zeros(shape, dy.dtype)
        for index in _taps(wide, 2 + axis, k[axis], s[axis]):
            wide[index] += d / k[axis]
        d = wide
    return d


def min_pool_zero_fraction(x, kernel_size):
    k = _pair(kernel_size)
    positive = x > 0
    for axis in (0, 1):
        positive = np.logical_and.reduce([positive[i] for i in _taps(positive, 2 + axis, k[axis], k[axis])])
    return 1.0 - positive.sum() / positive.size


def flatten(x):
    N, C, H, W = x.shape
    c, i, j = np.unravel_index(np.arange(C * H * W), (C, H, W))
    return x[:, c, i, j]


def linear_forward(x, w, b):
    return np.tensordot(x, w, axes=([1], [1])) + b[np.newaxis]


def linear_backward(dy, x, w):
    dx = np.tensordot(dy, w, axes=([1], [0]))
    dw = np.tensordot(dy, x, axes=([0], [0]))
    return dx, dw, np.add.reduce(dy, axis=0)


def shift_image(x, down, right):
    y = x
    for axis, by in ((-2, down), (-1, right)):
        size = x.shape[axis]
        source = np.arange(size) - by
        there = (source >= 0) & (source < size)
        column = there[:, None] if axis == -2 else there
        y = np.where(column, np.take(y, source, axis=axis, mode="clip"), np.zeros((), x.dtype))
    return y


def equivariance_error(layer, x, shift, *, stride=1, margin=0):
    (down, right), keep = shift, slice(margin, -margin or None)
    moved = np.asarray(layer(shift_image(x, down, right)), np.float64)
    want = np.asarray(shift_image(layer(x), down // stride, right // stride), np.float64)
    moved, want = moved[..., keep, keep], want[..., keep, keep]
    above, below = np.ptp([np.max(np.abs(moved - want)), 0.0]), np.max(np.abs(want))
    if below == 0:
        return math.inf if above else 0.0
    return float(above / below)


def invariance_rate(layer, x, shifts):
    reference, N = np.asarray(layer(x)).reshape(len(x), -1), len(x)
    rates = np.empty(len(shifts), np.float64)
    for place, (down, right) in enumerate(shifts):
        now = np.asarray(layer(shift_image(x, down, right))).reshape(N, -1)
        rates[place] = np.count_nonzero(np.linalg.norm(now - reference, ord=np.inf, axis=1) <= 1e-12) / N
    return rates


def parameter_table(size=32, in_channels=1, channels=(6, 16), kernel_size=5, hidden=(120, 84), classes=10):
    left = size
    for _ in channels:
        left = math.floor((left - kernel_size + 1) / 2)
    ins = (in_channels * kernel_size**2, channels[0] * kernel_size**2, channels[1] * left**2, *hidden)
    outs = (*channels, *hidden, classes)
    table = {name: o + i * o for name, i, o in zip(("conv1", "conv2", "fc1", "fc2", "fc3"), ins, outs, strict=True)}
    table["total"] = sum(table.values())
    return table


def dense_parameter_count(in_shape, out_shape):
    return math.prod(out_shape) + math.prod(in_shape) * math.prod(out_shape)


def locally_connected_parameter_count(in_shape, out_shape, kernel_size):
    return math.prod(out_shape) + in_shape[0] * math.prod(_pair(kernel_size)) * math.prod(out_shape)


def _run(params, x):
    def p(layer):
        return params[layer + ".weight"], params[layer + ".bias"]

    kept = {"x": x}
    kept["z1"] = conv2d_forward(x, *p("conv1"))
    # the maximum of a window's ReLUs is the ReLU of its maximum
    kept["m1"] = max_pool_forward(kept["z1"], 2)
    kept["a1"] = np.maximum(kept["m1"], 0)
    kept["z2"] = conv2d_forward(kept["a1"], *p("conv2"))
    kept["m2"] = max_pool_forward(kept["z2"], 2)
    kept["v"] = flatten(np.maximum(kept["m2"], 0))
    kept["z3"] = linear_forward(kept["v"], *p("fc1"))
    kept["z4"] = linear_forward(np.maximum(kept["z3"], 0), *p("fc2"))
    kept["z5"] = linear_forward(np.maximum(kept["z4"], 0), *p("fc3"))
    return kept


def lenet5_forward(params, x):
    return _run(params, x)["z5"]


def lenet5_loss_and_gradients(params, x, target):
    kept, N = _run(params, x), len(x)
    z = kept["z5"].astype(np.float64)
    log_p = z - np.logaddexp.reduce(z, axis=1, keepdims=True)
    loss = -math.fsum(log_p[np.arange(N), target]) / N
    p = np.exp(log_p)
    # 1 - p of the right class as the sum of the others: exact where p is nearly 1
    right = np.zeros(p.shape, bool)
    right[np.arange(N), target] = True
    dz = np.where(right, -np.where(right, 0, p).sum(axis=1, keepdims=True), p) / N
    dz = dz.astype(x.dtype)
    g = {}
    d, g["fc3.weight"], g["fc3.bias"] = linear_backward(dz, np.maximum(kept["z4"], 0), params["fc3.weight"])
    d = d * np.heaviside(kept["z4"], 0)
    d, g["fc2.weight"], g["fc2.bias"] = linear_backward(d, np.maximum(kept["z3"], 0), params["fc2.weight"])
    d = d * np.heaviside(kept["z3"], 0)
    d, g["fc1.weight"], g["fc1.bias"] = linear_backward(d, kept["v"], params["fc1.weight"])
    d = d.reshape(kept["m2"].shape) * np.heaviside(kept["m2"], 0)
    d = max_pool_backward(d, kept["z2"], 2)
    d, g["conv2.weight"], g["conv2.bias"] = conv2d_backward(d, kept["a1"], params["conv2.weight"])
    d = max_pool_backward(d * np.heaviside(kept["m1"], 0), kept["z1"], 2)
    _, g["conv1.weight"], g["conv1.bias"] = conv2d_backward(d, x, params["conv1.weight"])
    return loss, {key: g[key] for key in sorted(g, reverse=True)}


def sgd_momentum_step(params, grads, velocity, *, lr, momentum=0.9):
    new, fast = dict(params), dict(velocity)
    for key, g in grads.items():
        fast[key] = np.add(np.multiply(velocity[key], momentum), g)
        new[key] = np.subtract(params[key], np.multiply(fast[key], lr))
    return new, fast


def train(params, x, y, batches, *, lr, momentum=0.9):
    def steps():
        now, v = params, {key: np.zeros(p.shape, p.dtype) for key, p in params.items()}
        yield now, None
        for batch in batches:
            loss, grads = lenet5_loss_and_gradients(now, x[batch], y[batch])
            now, v = sgd_momentum_step(now, grads, v, lr=lr, momentum=momentum)
            yield now, loss

    path = list(steps())
    return path[-1][0], np.fromiter((loss for _, loss in path[1:]), dtype=np.float64)
