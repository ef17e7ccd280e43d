"""Assignment 3: averages by Fourier transforms, maxima by doubling, sums in long double, gradients by counting places."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
from provided import conv2d_backward, conv2d_forward

WIDE = np.longdouble


def _pairs(*given):
    return [np.broadcast_to(np.asarray(one), 2).tolist() for one in given]


def _running(index, better, window):
    """For each window of the last axis, the index that wins in it: windows of 1, 2, 4 ... and two that overlap."""
    length, best = 1, index
    while 2 * length <= window:
        best = better(best[..., : best.shape[-1] - length], best[..., length:])
        length *= 2
    rest = window - length
    return better(best[..., : best.shape[-1] - rest], best[..., rest:])


def _winners(x, kernel, step, padding):
    """The flat index of each window's winner in x, and which shape the windows have."""
    n, c, h, w = x.shape
    values = np.append(np.ravel(x), np.array(-np.inf, x.dtype))  # the last one stands for the padding
    index = np.full((n, c, h + 2 * padding[0], w + 2 * padding[1]), x.size)
    index[:, :, padding[0] : padding[0] + h, padding[1] : padding[1] + w] = np.arange(x.size).reshape(x.shape)

    def better(one, other):
        return np.where(values[one] >= values[other], one, other)

    index = _running(index, better, kernel[1]).swapaxes(2, 3)
    index = _running(index, better, kernel[0]).swapaxes(2, 3)
    return values, index[:, :, :: step[0], :: step[1]]


def max_pool_forward(x, kernel_size, *, stride=None, padding=0):
    kernel, step, padding = _pairs(kernel_size, kernel_size if stride is None else stride, padding)
    for side, window, edge in zip(x.shape[2:], kernel, padding, strict=True):
        if edge > window // 2 or window > side + 2 * edge:
            raise ValueError(f"side {side}, window {window}, padding {edge}")
    values, index = _winners(x, kernel, step, padding)
    return values[index]


def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    kernel, step, padding = _pairs(kernel_size, kernel_size if stride is None else stride, padding)
    _, index = _winners(x, kernel, step, padding)
    return np.bincount(index.ravel(), dy.ravel(), minlength=x.size).reshape(x.shape).astype(x.dtype)


def _box(kernel, size):
    box = np.zeros(size)
    box[: kernel[0], : kernel[1]] = 1 / (kernel[0] * kernel[1])
    return np.fft.rfft2(box)


def avg_pool_forward(x, kernel_size, *, stride=None):
    kernel, step = _pairs(kernel_size, kernel_size if stride is None else stride)
    size = x.shape[2:]
    means = np.fft.irfft2(np.fft.rfft2(x.astype(np.float64)) * _box(kernel, size).conj(), size)
    return means[:, :, : size[0] - kernel[0] + 1 : step[0], : size[1] - kernel[1] + 1 : step[1]].astype(x.dtype)


def avg_pool_backward(dy, x, kernel_size, *, stride=None):
    kernel, step = _pairs(kernel_size, kernel_size if stride is None else stride)
    size = x.shape[2:]
    spread = np.zeros(x.shape)
    spread[:, :, : size[0] - kernel[0] + 1 : step[0], : size[1] - kernel[1] + 1 : step[1]] = dy
    return np.fft.irfft2(np.fft.rfft2(spread) * _box(kernel, size), size).astype(dy.dtype)


def min_pool_zero_fraction(x, kernel_size):
    (kernel,) = _pairs(kernel_size)
    for axis, window in zip((2, 3), kernel, strict=True):
        whole = x.shape[axis] // window * window
        x = np.minimum.reduceat(x.take(range(whole), axis), range(0, whole, window), axis)
    return float(Fraction(int((x <= 0).sum()), x.size))


def flatten(x):
    n, c, h, w = x.shape
    place = np.arange(c * h * w)
    return x[:, place // (h * w), place // w % h, place % w]


def linear_forward(x, w, b):
    return (x.astype(WIDE) @ w.astype(WIDE).T + b).astype(x.dtype)


def linear_backward(dy, x, w):
    wide = dy.astype(WIDE)
    grads = wide @ w.astype(WIDE), wide.T @ x.astype(WIDE), np.ones(len(dy), WIDE) @ wide
    return tuple(each.astype(dy.dtype) for each in grads)


def shift_image(x, down, right):
    for axis, steps in ((-2, down), (-1, right)):
        side = x.shape[axis]
        places = np.arange(side) - steps
        there = (places >= 0) & (places < side)
        there = there[:, None] if axis == -2 else there
        x = np.where(there, np.take(x, places, axis, mode="clip"), np.zeros((), x.dtype))
    return x


def equivariance_error(layer, x, shift, *, stride=1, margin=0):
    follow = shift_image(layer(x), *(round(pixels / stride) for pixels in shift)).astype(WIDE)
    apart = abs(follow - layer(shift_image(x, *shift)))
    for _ in range(margin):
        follow, apart = follow[:, :, 1:-1, 1:-1], apart[:, :, 1:-1, 1:-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.nan_to_num(apart.max() / abs(follow).max(), nan=0, posinf=np.inf))


def invariance_rate(layer, x, shifts):
    def noticed(one, shift):
        moved, still = (layer(each)[0] for each in (shift_image(one, *shift), one))
        return np.max(np.abs(moved - still), initial=0) > 1e-12

    return 1 - np.array([[noticed(x[n : n + 1], shift) for n in range(len(x))] for shift in shifts]).mean(axis=1)


def parameter_table(size=32, in_channels=1, channels=(6, 16), kernel_size=5, hidden=(120, 84), classes=10):
    windows = kernel_size * kernel_size
    side = ((size - kernel_size + 1 >> 1) - kernel_size + 1) >> 1
    inputs = np.array([in_channels * windows, channels[0] * windows, channels[1] * side * side, *hidden])
    counts = np.array([*channels, *hidden, classes]) * (inputs + 1)
    return dict(zip(["conv1", "conv2", "fc1", "fc2", "fc3", "total"], [*counts, counts.sum()], strict=True))


def dense_parameter_count(in_shape, out_shape):
    return int(np.prod(out_shape, dtype=np.int64) * (np.prod(in_shape, dtype=np.int64) + 1))


def locally_connected_parameter_count(in_shape, out_shape, kernel_size):
    ((kh, kw),) = _pairs(kernel_size)
    return dense_parameter_count((in_shape[0], kh, kw), out_shape)


def _forward(params: Mapping, x):
    kept = {}
    for name in ("conv1", "conv2"):
        z = conv2d_forward(x, params[name + ".weight"], params[name + ".bias"])
        kept[name] = x, z
        x = np.fmax(max_pool_forward(z, 2), 0)  # a maximum of maxima, in either order
    x = flatten(x)
    for name in ("fc1", "fc2", "fc3"):
        z = linear_forward(x, params[name + ".weight"], params[name + ".bias"])
        kept[name] = x, z
        x = np.fmax(z, 0)
    return z, kept


def lenet5_forward(params, x):
    return _forward(params, x)[0]


def lenet5_loss_and_gradients(params, x, target):
    z, kept = _forward(params, x)
    logs = z.astype(WIDE)
    logs -= np.logaddexp.reduce(logs, axis=1, keepdims=True)
    truth = np.equal.outer(target, np.arange(10))
    d, grads = ((np.exp(logs) - truth) / len(x)).astype(z.dtype), {}
    for name in ("fc3", "fc2", "fc1"):
        seen, _ = kept[name]
        d, grads[name + ".weight"], grads[name + ".bias"] = linear_backward(d, seen, params[name + ".weight"])
        d = d * (seen > 0)  # what arrives here was cut at zero: also after flattening
    d = d.reshape(-1, 16, 5, 5)
    for name in ("conv2", "conv1"):
        seen, z = kept[name]
        d = max_pool_backward(d, z, 2)
        d, grads[name + ".weight"], grads[name + ".bias"] = conv2d_backward(d, seen, params[name + ".weight"])
        d = d * (seen > 0)
    return float(-logs[truth].mean()), grads


def _vector(tree, names):
    return np.concatenate([tree[name].ravel() for name in names])


def sgd_momentum_step(params, grads, velocity, *, lr, momentum=0.9):
    names = list(params)
    if not names:
        return {}, {}
    v = _vector(velocity, names) * momentum + _vector(grads, names)
    cuts = np.cumsum([params[name].size for name in names])[:-1]

    def named(vector):
        return {name: part.reshape(params[name].shape) for name, part in zip(names, np.split(vector, cuts), strict=True)}

    return named(_vector(params, names) - v * lr), named(v)


def train(params, x, y, batches, *, lr, momentum=0.9):
    losses, velocity = [], {name: np.zeros(np.shape(array), array.dtype) for name, array in params.items()}
    for batch in batches:
        loss, grads = lenet5_loss_and_gradients(params, x[batch], y[batch])
        losses.append(np.float64(loss))
        params, velocity = sgd_momentum_step(params, grads, velocity, lr=lr, momentum=momentum)
    return params, np.array([*losses], np.float64)
