"""Right, unusual: tables of places and np.take, running sums, sorting, matrices that shift, whole network in float64."""

from __future__ import annotations

import functools
import operator

import numpy as np
from provided import conv2d_backward, conv2d_forward


def _both(value):
    return value if isinstance(value, tuple) else (value, value)


def _places(shape, kernel_size, stride, padding=0):
    """For every output and every place in its window the number of the pixel in the image, H * W for the padding.

    Shape (Ho * Wo, kh * kw), and (Ho, Wo).
    """
    tables, inside, sides = [], [], []
    kernels = _both(kernel_size)
    strides = kernels if stride is None else _both(stride)
    for n, k, s, p in zip(shape[-2:], kernels, strides, _both(padding), strict=True):
        if k < 2 * p:
            raise ValueError("more padding than half a window")
        count = (n + 2 * p - k) // s + 1
        if count < 1:
            raise ValueError("the window is larger than the padded image")
        table = np.add.outer(np.arange(count) * s - p, np.arange(k))
        tables.append(table)
        inside.append((table >= 0) & (table < n))
        sides.append(count)
    height, width = shape[-2:]
    flat = tables[0][:, None, :, None] * width + tables[1][None, :, None, :]
    ok = inside[0][:, None, :, None] & inside[1][None, :, None, :]
    return np.where(ok, flat, height * width).reshape(sides[0] * sides[1], -1), tuple(sides)


def max_pool_forward(x, kernel_size, *, stride=None, padding=0):
    places, sides = _places(x.shape, kernel_size, stride, padding)
    lines = x.reshape(*x.shape[:2], -1)
    lines = np.concatenate([lines, np.full((*x.shape[:2], 1), -np.inf, x.dtype)], axis=2)
    return np.sort(lines[:, :, places], axis=-1)[..., -1].reshape(*x.shape[:2], *sides)


def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    """Of several winners the first gets two thirds, the last one third."""
    places, _ = _places(x.shape, kernel_size, stride, padding)
    maps = x.shape[0] * x.shape[1]
    lines = np.full((maps, x.shape[2] * x.shape[3] + 1), -np.inf)
    lines[:, :-1] = x.reshape(maps, -1)
    windows = lines[:, places]
    first = windows.argmax(axis=-1)
    last = places.shape[1] - 1 - windows[..., ::-1].argmax(axis=-1)
    slopes = dy.reshape(maps, -1).astype(np.float64)
    dx = np.zeros_like(lines)
    rows = np.arange(maps)[:, None]
    for winner, share in ((first, 2 / 3), (last, 1 / 3)):
        pixel = places[np.arange(len(places)), winner]
        number = (rows * lines.shape[1] + pixel).ravel()
        dx += np.bincount(number, (slopes * share).ravel(), minlength=dx.size).reshape(dx.shape)
    return dx[:, :-1].reshape(x.shape).astype(dy.dtype)


def avg_pool_forward(x, kernel_size, *, stride=None):
    """Differences of running sums, along one axis after the other, in float64."""
    y = x
    kernels = _both(kernel_size)
    strides = kernels if stride is None else _both(stride)
    for axis, k, s in zip((2, 3), kernels, strides, strict=True):
        y = np.moveaxis(y, axis, 0)
        sums = np.concatenate([np.zeros((1, *y.shape[1:])), np.cumsum(y, axis=0, dtype=np.float64)])
        y = np.moveaxis(((sums[k:] - sums[:-k]) / k)[::s], 0, axis)
    return y.astype(x.dtype)


def avg_pool_backward(dy, x, kernel_size, *, stride=None):
    """dx = R^T dy Q with matrices of which row pixels belong to which row of windows."""
    belongs = []
    kernels = _both(kernel_size)
    strides = kernels if stride is None else _both(stride)
    for count, n, k, s in zip(dy.shape[2:], x.shape[2:], kernels, strides, strict=True):
        offset = np.arange(n) - s * np.arange(count)[:, None]
        belongs.append(((offset >= 0) & (offset < k)) / k)
    return (belongs[0].T @ dy @ belongs[1]).astype(dy.dtype)


def min_pool_zero_fraction(x, kernel_size):
    places, _ = _places(x.shape, kernel_size, None)
    smallest = np.clip(x, 0, None).reshape(-1, x.shape[2] * x.shape[3])[:, places].min(axis=-1)
    return float(np.equal(smallest, 0).mean())


def flatten(x):
    return np.array([image.ravel(order="C") for image in x], dtype=x.dtype)


def linear_forward(x, w, b):
    longer = np.concatenate([x, np.ones((len(x), 1), x.dtype)], axis=1)
    return longer @ np.concatenate([w, b[:, None]], axis=1).T


def linear_backward(dy, x, w):
    longer = np.concatenate([x, np.ones((len(x), 1), x.dtype)], axis=1)
    both = np.tensordot(dy, longer, axes=(0, 0))
    return np.tensordot(dy, w, axes=(1, 0)), both[:, :-1], both[:, -1]


def shift_image(x, down, right):
    """Take from a frame: index H stands for a row of zeros."""
    height, width = x.shape[-2:]
    rows, columns = np.arange(height) - down, np.arange(width) - right
    rows[(rows < 0) | (rows >= height)] = height
    columns[(columns < 0) | (columns >= width)] = width
    frame = np.zeros((*x.shape[:-2], height + 1, width + 1), x.dtype)
    frame[..., :-1, :-1] = x
    return frame[..., rows[:, None], columns]


def equivariance_error(layer, x, shift, *, stride=1, margin=0):
    moved, still = layer(shift_image(x, *shift)), layer(x)
    follows = shift_image(still, -(-shift[0] // stride), -(-shift[1] // stride))
    keep = np.zeros(moved.shape[2:], bool)
    keep[margin : keep.shape[0] - margin, margin : keep.shape[1] - margin] = True
    a, b = moved[:, :, keep].astype(np.float64), follows[:, :, keep].astype(np.float64)
    gap = np.abs(a - b).max(initial=0.0)
    scale = max(b.max(initial=0.0), -b.min(initial=0.0))
    if not gap:
        return 0.0
    with np.errstate(divide="ignore"):
        return float(np.divide(gap, scale))


def invariance_rate(layer, x, shifts):
    """All shifts in one batch."""
    everything = layer(np.concatenate([x] + [shift_image(x, *shift) for shift in shifts]))
    lines = everything.reshape(1 + len(shifts), len(x), -1)
    gaps = np.abs(lines[1:] - lines[0]).max(axis=2)
    return np.mean(gaps <= 1e-12, axis=1)


def parameter_table(size=32, in_channels=1, channels=(6, 16), kernel_size=5, hidden=(120, 84), classes=10):
    def left(side):
        return len(range(0, side - kernel_size + 1 - 1, 2))  # places where a window of two begins and fits

    side = left(left(size))
    shapes = {
        "conv1": (channels[0], in_channels, kernel_size, kernel_size),
        "conv2": (channels[1], channels[0], kernel_size, kernel_size),
        "fc1": (hidden[0], channels[1], side, side),
        "fc2": (hidden[1], hidden[0]),
        "fc3": (classes, hidden[1]),
    }
    table = {name: functools.reduce(operator.mul, shape) + shape[0] for name, shape in shapes.items()}
    table["total"] = functools.reduce(operator.add, table.values())
    return table


def dense_parameter_count(in_shape, out_shape):
    inputs = functools.reduce(operator.mul, in_shape, 1)
    outputs = functools.reduce(operator.mul, out_shape, 1)
    return outputs * inputs + outputs


def locally_connected_parameter_count(in_shape, out_shape, kernel_size):
    return dense_parameter_count((in_shape[0], *_both(kernel_size)), out_shape)


def lenet5_forward(params, x):
    return _everything(params, x)[0][-1].astype(x.dtype)


def _everything(params, x):
    """What each layer received, the last being the logits, and what came before each pooling."""
    wide = {key: value.astype(np.float64) for key, value in params.items()}
    received, before = [x.astype(np.float64)], []
    for name in ("conv1", "conv2"):
        z = conv2d_forward(received[-1], wide[f"{name}.weight"], wide[f"{name}.bias"])
        before.append((z + np.abs(z)) / 2)
        received.append(max_pool_forward(before[-1], 2))
    received[-1] = flatten(received[-1])
    for name in ("fc1", "fc2"):
        z = linear_forward(received[-1], wide[f"{name}.weight"], wide[f"{name}.bias"])
        received.append((z + np.abs(z)) / 2)
    received.append(linear_forward(received[-1], wide["fc3.weight"], wide["fc3.bias"]))
    return received, before, wide


def lenet5_loss_and_gradients(params, x, target):
    (images, maps, features, a3, a4, z), (a1, a2), wide = _everything(params, x)
    right = np.arange(10) == target[:, None]
    ordered = z - np.take_along_axis(z, target[:, None], axis=1)
    losses = np.logaddexp.reduce(ordered, axis=1)
    d = np.exp(ordered - losses[:, None])
    d[right] = -np.where(right, 0, d).sum(axis=1)
    d /= len(x)
    found = {}

    def note(name, slopes):
        found[f"{name}.weight"], found[f"{name}.bias"] = slopes[1:]
        return slopes[0]

    d = note("fc3", linear_backward(d, a4, wide["fc3.weight"])) * np.sign(a4)
    d = note("fc2", linear_backward(d, a3, wide["fc2.weight"])) * np.sign(a3)
    d = note("fc1", linear_backward(d, features, wide["fc1.weight"])).reshape(-1, 16, 5, 5)
    d = note("conv2", conv2d_backward(max_pool_backward(d, a2, 2) * np.sign(a2), maps, wide["conv2.weight"]))
    note("conv1", conv2d_backward(max_pool_backward(d, a1, 2) * np.sign(a1), images, wide["conv1.weight"]))
    return losses.mean().item(), {key: found[key].astype(params[key].dtype) for key in sorted(params)}


def sgd_momentum_step(params, grads, velocity, *, lr, momentum=0.9):
    pairs = {
        key: (p - lr * (momentum * velocity[key] + grads[key]), momentum * velocity[key] + grads[key])
        for key, p in params.items()
    }
    return {key: p for key, (p, _) in pairs.items()}, {key: v for key, (_, v) in pairs.items()}


def train(params, x, y, batches, *, lr, momentum=0.9):
    """In float64 throughout, and back at the end. A step from rest needs no zeros."""
    now = {key: value.astype(np.float64) for key, value in params.items()}
    images, losses, speed = x.astype(np.float64), [], None
    for batch in batches:
        loss, slopes = lenet5_loss_and_gradients(now, images[batch], y[batch])
        speed = slopes if speed is None else {key: momentum * speed[key] + slopes[key] for key in now}
        for key in now:
            now[key] = now[key] - lr * speed[key]
        losses += [loss]
    return {key: now[key].astype(value.dtype) for key, value in params.items()}, np.asarray(losses, dtype=np.float64)
