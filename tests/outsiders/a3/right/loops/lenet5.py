"""Right, unusual: plain loops over windows, recursion for padding-free maxima, lists, generators, math.fsum."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
from provided import conv2d_backward, conv2d_forward


def pair(value):
    try:
        first, second = value
    except TypeError:
        return value, value
    return first, second


def spans(size, kernel, stride, padding=0):
    """The window's first and last place along one axis of the image itself, clipped where it reaches into padding."""
    if padding > kernel // 2 or kernel > size + 2 * padding:
        raise ValueError(f"a window of {kernel} on {size} pixels with padding {padding}")
    found = []
    start = -padding
    while start + kernel <= size + padding:
        found.append((max(start, 0), min(start + kernel, size)))
        start += stride
    return found


def grid(shape, kernel_size, stride, padding=0):
    kernel = pair(kernel_size)
    strides = kernel if stride is None else pair(stride)
    return [spans(*axis) for axis in zip(shape[2:], kernel, strides, pair(padding), strict=True)]


def max_pool_forward(x, kernel_size, *, stride=None, padding=0):
    rows, columns = grid(x.shape, kernel_size, stride, padding)
    wide = np.empty((*x.shape[:3], len(columns)), x.dtype)
    for j, (left, right) in enumerate(columns):  # first along the rows, then along the columns: maxima of maxima
        wide[..., j] = x[..., left:right].max(axis=3)
    y = np.empty((*x.shape[:2], len(rows), len(columns)), x.dtype)
    for i, (top, bottom) in enumerate(rows):
        y[:, :, i] = wide[:, :, top:bottom].max(axis=2)
    return y


def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    """The last of several winners takes it all."""
    rows, columns = grid(x.shape, kernel_size, stride, padding)
    dx = np.zeros_like(x)
    images, channels = np.ogrid[: x.shape[0], : x.shape[1]]
    for (i, (top, bottom)), (j, (left, right)) in product(enumerate(rows), enumerate(columns)):
        window = x[:, :, top:bottom, left:right]
        lines = window.reshape(*x.shape[:2], -1)[..., ::-1]
        place = lines.shape[2] - 1 - lines.argmax(axis=2)
        r, q = np.divmod(place, right - left)
        dx[images, channels, top + r, left + q] += dy[:, :, i, j]  # each image and channel once: nothing is lost
    return dx


def avg_pool_forward(x, kernel_size, *, stride=None):
    rows, columns = grid(x.shape, kernel_size, stride)
    kh, kw = pair(kernel_size)
    y = [
        [
            [[math.fsum(channel[t:b, l:r].ravel().tolist()) / (kh * kw) for l, r in columns] for t, b in rows]
            for channel in image
        ]
        for image in x
    ]
    return np.array(y, x.dtype).reshape(*x.shape[:2], len(rows), len(columns))


def avg_pool_backward(dy, x, kernel_size, *, stride=None):
    rows, columns = grid(x.shape, kernel_size, stride)
    kh, kw = pair(kernel_size)
    dx = np.zeros(x.shape, dy.dtype)
    for (i, (t, b)), (j, (l, r)) in product(enumerate(rows), enumerate(columns)):
        dx[:, :, t:b, l:r] += dy[:, :, i, j, None, None] / (kh * kw)
    return dx


def min_pool_zero_fraction(x, kernel_size):
    rows, columns = grid(x.shape, kernel_size, None)
    verdicts = [
        not all(value > 0 for value in channel[t:b, l:r].flat)
        for image in x
        for channel in image
        for t, b in rows
        for l, r in columns
    ]
    return verdicts.count(True) / len(verdicts)


def flatten(x):
    n, c, h, w = x.shape
    y = np.empty((n, c * h * w), x.dtype)
    for k, (channel, row) in enumerate(product(range(c), range(h))):
        y[:, k * w : (k + 1) * w] = x[:, channel, row]
    return y


def linear_forward(x, w, b):
    return np.stack([(x * row).sum(axis=1) + bias for row, bias in zip(w, b, strict=True)], axis=1).astype(x.dtype)


def linear_backward(dy, x, w):
    dx, dw, db = np.zeros_like(x), np.zeros_like(w), np.zeros(w.shape[0], w.dtype)
    for slope, vector, gradient in zip(dy, x, dx, strict=True):
        gradient += slope @ w
        dw += np.outer(slope, vector)
        db += slope
    return dx, dw, db


def shift_image(x, down, right):
    """One row or column of zeros in, one out, and so on: recursion by halves would be faster, loops are honest."""
    y = np.array(x)
    for axis, steps in ((-2, down), (-1, right)):
        y = np.moveaxis(y, axis, 0)
        n = len(y)
        for k in reversed(range(n)) if steps > 0 else range(n):
            y[k] = y[k - steps] if 0 <= k - steps < n else np.zeros_like(y[k])
        y = np.moveaxis(y, 0, axis)
    return y


def equivariance_error(layer, x, shift, *, stride=1, margin=0):
    """Image by image, since a layer treats each on its own."""
    tops, bottoms = [0.0], [0.0]
    for k in range(len(x)):
        image = x[k : k + 1]
        moved = layer(shift_image(image, shift[0], shift[1]))[0]
        follows = shift_image(layer(image)[0], shift[0] // stride, shift[1] // stride)
        for a, b in zip(moved, follows, strict=True):
            height, width = a.shape
            for i in range(margin, height - margin):
                for j in range(margin, width - margin):
                    tops.append(abs(float(a[i, j]) - float(b[i, j])))
                    bottoms.append(abs(float(b[i, j])))
    top, bottom = max(tops), max(bottoms)
    try:
        return top / bottom
    except ZeroDivisionError:
        return math.inf if top > 0 else 0.0


def invariance_rate(layer, x, shifts):
    def unchanged(image, shift):
        pairs = zip(np.ravel(layer(image)), np.ravel(layer(shift_image(image, *shift))), strict=True)
        return all(abs(a - b) <= 1e-12 for a, b in pairs)

    return np.array([sum(unchanged(x[k : k + 1], s) for k in range(len(x))) / len(x) for s in shifts], np.float64)


def parameter_table(size=32, in_channels=1, channels=(6, 16), kernel_size=5, hidden=(120, 84), classes=10):
    table, inputs, side = {}, in_channels, size
    for name, filters in zip(("conv1", "conv2"), channels, strict=True):
        table[name] = sum(1 + inputs * kernel_size * kernel_size for _ in range(filters))
        side, _ = divmod(side - (kernel_size - 1), 2)
        inputs = filters
    inputs *= side * side
    for name, outputs in zip(("fc1", "fc2", "fc3"), (*hidden, classes), strict=True):
        table[name], inputs = outputs * inputs + outputs, outputs
    return table | {"total": sum(table.values())}


def dense_parameter_count(in_shape, out_shape):
    (c, h, w), (f, i, j) = in_shape, out_shape
    return f * i * j * c * h * w + f * i * j


def locally_connected_parameter_count(in_shape, out_shape, kernel_size):
    kh, kw = pair(kernel_size)
    return sum(in_shape[0] * kh * kw + 1 for _ in range(out_shape[0])) * out_shape[1] * out_shape[2]


class Layer:
    """A layer that remembers what it received."""

    def __init__(self, name, params):
        self.name, self.w, self.b = name, params[f"{name}.weight"], params[f"{name}.bias"]
        self.image = self.w.ndim == 4

    def forward(self, x):
        self.x = x
        self.z = (conv2d_forward if self.image else linear_forward)(x, self.w, self.b)
        if self.name == "fc3":
            return self.z
        self.a = np.where(self.z > 0, self.z, self.z.dtype.type(0))
        return max_pool_forward(self.a, 2) if self.image else self.a

    def backward(self, d, grads):
        if self.image:
            d = max_pool_backward(d, self.a, 2)
        if self.name != "fc3":
            d = np.where(self.z > 0, d, d.dtype.type(0))
        d, dw, db = (conv2d_backward if self.image else linear_backward)(d, self.x, self.w)
        grads[f"{self.name}.bias"], grads[f"{self.name}.weight"] = db, dw
        return d


def _forward(params, x):
    layers = [Layer(name, params) for name in ("conv1", "conv2", "fc1", "fc2", "fc3")]
    for layer in layers:
        if layer.name == "fc1":
            x = flatten(x)
        x = layer.forward(x)
    return layers, x


def lenet5_forward(params, x):
    return _forward(params, x)[1]


def lenet5_loss_and_gradients(params, x, target):
    layers, z = _forward(params, x)
    n, losses, slopes = len(x), [], []
    for row, t in zip(z.tolist(), target.tolist(), strict=True):
        top = max(row)
        powers = [math.exp(value - top) for value in row]
        total = math.fsum(powers)
        rest = math.fsum(power for k, power in enumerate(powers) if k != t)
        losses.append(math.log1p(rest) if row[t] == top else math.log(total) + top - row[t])
        slopes.append([(-rest if k == t else power) / total / n for k, power in enumerate(powers)])
    d, grads = np.array(slopes, z.dtype), {}
    for layer in reversed(layers):
        d = layer.backward(d, grads)
        if layer.name == "fc1":
            d = d.reshape(n, 16, 5, 5)
    return math.fsum(losses) / n, grads


def sgd_momentum_step(params, grads, velocity, *, lr, momentum=0.9):
    moved, faster = {}, {}
    for key in params:
        v = velocity[key].copy()
        v *= momentum
        v += grads[key]
        step = v.copy()
        step *= -lr
        step += params[key]
        moved[key], faster[key] = step, v
    return moved, faster


def train(params, x, y, batches, *, lr, momentum=0.9):
    def steps(params, velocity, todo):
        for batch in todo:
            images, classes = np.stack([x[k] for k in batch]), np.array([y[k] for k in batch])
            loss, grads = lenet5_loss_and_gradients(params, images, classes)
            params, velocity = sgd_momentum_step(params, grads, velocity, lr=lr, momentum=momentum)
            yield params, loss

    path = [(params, None), *steps(params, {k: np.zeros(v.shape, v.dtype) for k, v in params.items()}, batches)]
    return {k: np.array(v) for k, v in path[-1][0].items()}, np.array([loss for _, loss in path[1:]], np.float64)
