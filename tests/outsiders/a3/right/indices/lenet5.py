"""Explicit index arithmetic: gather with index tables, scatter with np.add.at; linear algebra as plain sums of products."""

from __future__ import annotations

import numpy as np
from provided import conv2d_backward, conv2d_forward


def _two(p):
    return tuple(int(v) for v in np.broadcast_to(p, 2))


def _table(shape, k, s, p):
    """For each window (a line) the place of each of its pixels in the flat image, and which of them exist."""
    (h, w), (kh, kw), (sh, sw), (ph, pw) = shape, k, s, p
    ho, wo = (h + 2 * ph - kh) // sh + 1, (w + 2 * pw - kw) // sw + 1
    window, pixel = np.arange(ho * wo)[:, None], np.arange(kh * kw)
    row = window // wo * sh + pixel // kw - ph
    column = window % wo * sw + pixel % kw - pw
    there = (row >= 0) & (row < h) & (column >= 0) & (column < w)
    return np.where(there, row * w + column, 0), there, (ho, wo)


def _gather(x, table, there):
    flat = x.reshape(x.shape[0] * x.shape[1], -1)
    return np.where(there, flat[:, table], x.dtype.type(-np.inf))


def max_pool_forward(x, kernel_size, *, stride=None, padding=0):
    k, p = _two(kernel_size), _two(padding)
    s = k if stride is None else _two(stride)
    if any(p[a] > k[a] // 2 for a in (0, 1)) or any(k[a] > x.shape[2 + a] + 2 * p[a] for a in (0, 1)):
        raise ValueError("padding beyond half of the window, or a window beyond the padded image")
    table, there, size = _table(x.shape[2:], k, s, p)
    return _gather(x, table, there).max(axis=2).reshape(*x.shape[:2], *size)


def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    k, p = _two(kernel_size), _two(padding)
    s = k if stride is None else _two(stride)
    table, there, size = _table(x.shape[2:], k, s, p)
    values = _gather(x, table, there)
    last = values.shape[2] - 1 - values[:, :, ::-1].argmax(axis=2)  # of tied pixels the last one wins
    lines = np.arange(len(values))[:, None]
    places = table[np.arange(len(table)), last]
    dx = np.zeros((len(values), x.shape[2] * x.shape[3]), dtype=x.dtype)
    np.add.at(dx, (lines, places), dy.reshape(len(values), -1))
    return dx.reshape(x.shape)


def avg_pool_forward(x, kernel_size, *, stride=None):
    k = _two(kernel_size)
    table, there, size = _table(x.shape[2:], k, k if stride is None else _two(stride), (0, 0))
    return _gather(x, table, there).astype(np.float64).mean(axis=2).reshape(*x.shape[:2], *size).astype(x.dtype)


def avg_pool_backward(dy, x, kernel_size, *, stride=None):
    k = _two(kernel_size)
    table, _, _ = _table(x.shape[2:], k, k if stride is None else _two(stride), (0, 0))
    maps = x.shape[0] * x.shape[1]
    share = np.broadcast_to((dy / (k[0] * k[1])).reshape(maps, -1, 1), (maps, *table.shape))
    dx = np.zeros((maps, x.shape[2] * x.shape[3]), dtype=x.dtype)
    np.add.at(dx, (np.arange(maps)[:, None, None], table), share)
    return dx.reshape(x.shape)


def min_pool_zero_fraction(x, kernel_size):
    k = _two(kernel_size)
    table, there, _ = _table(x.shape[2:], k, k, (0, 0))
    zero = (_gather(x, table, there) <= 0).any(axis=2)
    return np.count_nonzero(zero) / zero.size


def flatten(x):
    n, c, h, w = x.shape
    place = np.arange(c * h * w)
    return x[:, place // (h * w), place // w % h, place % w]


def linear_forward(x, w, b):
    y = np.empty((len(x), len(w)), dtype=x.dtype)
    for o in range(len(w)):
        y[:, o] = (x * w[o]).sum(axis=1) + b[o]
    return y


def linear_backward(dy, x, w):
    dx, dw = np.zeros_like(x), np.zeros_like(w)
    for o in range(w.shape[0]):
        dx += dy[:, o, None] * w[o]
    for n in range(x.shape[0]):
        dw += dy[n, :, None] * x[n]
    return dx, dw, dy.sum(axis=0)


def shift_image(x, down, right):
    h, w = x.shape[-2:]
    row = np.arange(h) - min(max(down, -h), h)
    column = np.arange(w) - min(max(right, -w), w)
    y = x[..., (row % h)[:, None], column % w]  # fancy indexing: a copy
    y[..., (row < 0) | (row >= h), :] = 0
    y[..., (column < 0) | (column >= w)] = 0
    return y


def equivariance_error(layer, x, shift, *, stride=1, margin=0):
    down, right = shift
    b = shift_image(layer(x), down // stride, right // stride)
    a = layer(shift_image(x, down, right))
    rows, columns = np.ix_(np.arange(margin, b.shape[2] - margin), np.arange(margin, b.shape[3] - margin))
    a, b = a[:, :, rows, columns].astype(np.float64), b[:, :, rows, columns].astype(np.float64)
    numerator, denominator = np.max(np.abs(a - b)), np.max(np.abs(b))
    if denominator == 0:
        return 0.0 if numerator == 0 else float("inf")
    return float(numerator / denominator)


def invariance_rate(layer, x, shifts):
    rates = np.zeros(len(shifts))
    before = layer(x)
    for k, (down, right) in enumerate(shifts):
        after = layer(shift_image(x, down, right))
        changed = np.abs(np.subtract(after, before, dtype=np.float64)) > 1e-12
        rates[k] = 1 - np.count_nonzero(changed.any(axis=tuple(range(1, changed.ndim)))) / len(x)
    return rates


def parameter_table(size=32, in_channels=1, channels=(6, 16), kernel_size=5, hidden=(120, 84), classes=10):
    left = (size - 3 * (kernel_size - 1)) // 4  # the two floors are one
    units = [in_channels * kernel_size**2, channels[0] * kernel_size**2, channels[1] * left**2, *hidden]
    outputs = [*channels, *hidden, classes]
    counts = [outputs[i] * units[i] + outputs[i] for i in range(5)]
    return dict(zip(("conv1", "conv2", "fc1", "fc2", "fc3", "total"), [*counts, sum(counts)]))


def dense_parameter_count(in_shape, out_shape):
    (c, h, w), (f, ho, wo) = in_shape, out_shape
    return f * ho * wo * c * h * w + f * ho * wo


def locally_connected_parameter_count(in_shape, out_shape, kernel_size):
    kh, kw = _two(kernel_size)
    f, ho, wo = out_shape
    return f * ho * wo * in_shape[0] * kh * kw + f * ho * wo


def lenet5_forward(params, x):
    for conv in ("conv1", "conv2"):  # the maximum first, then ReLU: the two commute
        x = max_pool_forward(conv2d_forward(x, params[conv + ".weight"], params[conv + ".bias"]), 2)
        x = np.maximum(x, 0)
    x = flatten(x)
    for fc in ("fc1", "fc2"):
        x = np.maximum(linear_forward(x, params[fc + ".weight"], params[fc + ".bias"]), 0)
    return linear_forward(x, params["fc3.weight"], params["fc3.bias"])


def lenet5_loss_and_gradients(params, x, target):
    weights = {key.split(".")[0]: value for key, value in params.items() if key.endswith("weight")}
    images, maps, pooled = [x], [], []
    for conv in ("conv1", "conv2"):
        maps.append(conv2d_forward(images[-1], weights[conv], params[conv + ".bias"]))
        pooled.append(max_pool_forward(maps[-1], 2))
        images.append(np.maximum(pooled[-1], 0))
    vectors, units = [flatten(images[-1])], []
    for fc in ("fc1", "fc2", "fc3"):
        units.append(linear_forward(vectors[-1], weights[fc], params[fc + ".bias"]))
        vectors.append(np.maximum(units[-1], 0))
    n = np.arange(len(x))
    over = units[2].astype(np.float64) - units[2][n, target].astype(np.float64)[:, None]
    loss = np.logaddexp.reduce(over, axis=1)
    d = np.exp(over - loss[:, None])
    d[n, target] = np.expm1(-loss)
    d = (d / len(x)).astype(x.dtype)
    grads = dict.fromkeys(params)
    for i, fc in ((2, "fc3"), (1, "fc2"), (0, "fc1")):
        d, grads[fc + ".weight"], grads[fc + ".bias"] = linear_backward(d, vectors[i], weights[fc])
        d = d * (vectors[i] > 0)
    d = d.reshape(images[2].shape)
    for i, conv in ((1, "conv2"), (0, "conv1")):
        d = max_pool_backward(d * (pooled[i] > 0), maps[i], 2)
        d, grads[conv + ".weight"], grads[conv + ".bias"] = conv2d_backward(d, images[i], weights[conv])
    return float(loss.sum() / len(x)), grads


def sgd_momentum_step(params, grads, velocity, *, lr, momentum=0.9):
    new_params, new_velocity = {}, {}
    for key in params:
        v = np.multiply(velocity[key], momentum)
        v += grads[key]
        new_velocity[key] = v
        new_params[key] = np.subtract(params[key], np.multiply(v, lr))
    return new_params, new_velocity


def train(params, x, y, batches, *, lr, momentum=0.9):
    state = {key: value.copy() for key, value in params.items()}, {key: value * 0 for key, value in params.items()}
    losses = []
    for batch in batches:
        loss, grads = lenet5_loss_and_gradients(state[0], np.take(x, batch, axis=0), np.take(y, batch))
        losses.append(loss)
        state = sgd_momentum_step(state[0], grads, state[1], lr=lr, momentum=momentum)
    return state[0], np.array(losses, dtype=np.float64).reshape(-1)
