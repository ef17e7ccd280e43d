"""Assignment 3 with classes, operators, recursion and generators."""

from __future__ import annotations

import functools
import operator

import numpy as np
import provided


class Both(tuple):
    """Two numbers, one for each axis, that compute axis by axis."""

    def __new__(cls, pair):
        return super().__new__(cls, [pair] * 2 if isinstance(pair, int) else pair)

    def _with(self, other, do):
        return Both([do(a, b) for a, b in zip(self, Both(other), strict=True)])

    def __add__(self, other):
        return self._with(other, operator.add)

    def __sub__(self, other):
        return self._with(other, operator.sub)

    def __mul__(self, other):
        return self._with(other, operator.mul)

    def __floordiv__(self, other):
        return self._with(other, operator.floordiv)

    def exceeds(self, other):
        return any(a > b for a, b in zip(self, Both(other), strict=True))


class Grid:
    """The windows of a pooling layer over images of one size."""

    def __init__(self, x, kernel_size, stride=None, padding=0):
        self.kernel, self.border = Both(kernel_size), Both(padding)
        self.step = self.kernel if stride is None else Both(stride)
        self.size = Both(x.shape[2:])
        self.wide = self.size + self.border * 2
        if self.border.exceeds(self.kernel // 2) or self.kernel.exceeds(self.wide):
            raise ValueError(f"windows {self.kernel}, padding {self.border}, images {self.size}")
        self.places = (self.wide - self.kernel) // self.step + 1

    def __iter__(self):
        """For each place in a window, where in the padded image it lies in all windows; the last place first."""
        spans = [
            [slice(first, first + step * (places - 1) + 1, step) for first in reversed(range(window))]
            for window, step, places in zip(self.kernel, self.step, self.places, strict=True)
        ]
        for rows in spans[0]:
            for columns in spans[1]:
                yield (..., rows, columns)

    @property
    def inside(self):
        return (..., *(slice(edge, edge + side) for edge, side in zip(self.border, self.size, strict=True)))

    def canvas(self, x, value):
        return np.full((*x.shape[:2], *self.wide), value, dtype=x.dtype)

    def padded(self, x):
        canvas = self.canvas(x, -np.inf)
        canvas[self.inside] = x
        return canvas

    def area(self):
        return self.kernel[0] * self.kernel[1]


def max_pool_forward(x, kernel_size, *, stride=None, padding=0):
    grid = Grid(x, kernel_size, stride, padding)
    padded = grid.padded(x)
    return functools.reduce(np.maximum, (padded[place] for place in grid))


def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    grid = Grid(x, kernel_size, stride, padding)
    padded, dx = grid.padded(x), grid.canvas(x, 0)
    best = functools.reduce(np.maximum, (padded[place] for place in grid))
    left = dy.copy()  # what a window has not handed out yet
    for place in grid:
        won = padded[place] == best
        dx[place] += np.where(won, left, left.dtype.type(0))
        left[won] = 0
    return dx[grid.inside]


def avg_pool_forward(x, kernel_size, *, stride=None):
    grid = Grid(x, kernel_size, stride)
    area = grid.area()
    return functools.reduce(operator.add, (x[place] / area for place in grid))


def avg_pool_backward(dy, x, kernel_size, *, stride=None):
    grid = Grid(x, kernel_size, stride)
    dx = np.zeros(x.shape, dy.dtype)
    for place in grid:
        dx[place] += dy
    dx /= grid.area()
    return dx


def min_pool_zero_fraction(x, kernel_size):
    grid = Grid(x, kernel_size)
    positive = functools.reduce(operator.and_, (x[place] > 0 for place in grid))
    return 1 - float(positive.mean()) if not positive.all() else 0.0


def flatten(x):
    return np.concatenate([row for channel in np.moveaxis(x, 1, 0) for row in np.moveaxis(channel, 1, 0)], axis=1)


class Affine:
    """y = x w' + b, on the rows of x."""

    def __init__(self, w, b=None):
        self.w, self.b = w, b

    def __call__(self, x):
        return np.matmul(self.w, x[:, :, None])[:, :, 0] + self.b

    def back(self, dy, x):
        dw = functools.reduce(operator.iadd, map(np.multiply.outer, dy, x), np.zeros(self.w.shape, self.w.dtype))
        return np.matmul(dy[:, None, :], self.w)[:, 0, :], dw, np.add.reduce(dy, axis=0)


def linear_forward(x, w, b):
    return Affine(w, b)(x)


def linear_backward(dy, x, w):
    return Affine(w).back(dy, x)


def _along(x, steps, axis):
    """Shift along one axis: by one pixel, or by a half and then the other half."""
    if abs(steps) > 1:
        half = abs(steps) // 2 * (1 if steps > 0 else -1)
        return _along(_along(x, half, axis), steps - half, axis)
    if steps == 0 or x.shape[axis] == 0:
        return x
    first, rest = np.split(x, [1] if steps < 0 else [x.shape[axis] - 1], axis)
    kept, gone = (rest, first) if steps < 0 else (first, rest)
    pieces = [np.zeros_like(gone), kept]
    return np.concatenate(pieces if steps > 0 else pieces[::-1], axis)


def shift_image(x, down, right):
    return _along(_along(x, down, x.ndim - 2), right, x.ndim - 1)


def equivariance_error(layer, x, shift, *, stride=1, margin=0):
    moved, still = np.split(layer(np.concatenate([shift_image(x, *shift), x])), 2)  # both in one batch
    followed = shift_image(still, *(Both(shift) // stride))
    kept = (..., *(slice(margin, side - margin) for side in followed.shape[2:]))
    error, size = (float(abs(each[kept]).max()) for each in (moved - followed, followed))
    match error, size:
        case (0.0, 0.0):
            return 0.0
        case (_, 0.0):
            return float("inf")
    return error / size


def invariance_rate(layer, x, shifts):
    answers = layer(np.concatenate([x, *(shift_image(x, *shift) for shift in shifts)]))
    still, *moved = np.split(answers, len(shifts) + 1)
    return np.array([sum(not (abs(a - b) > 1e-12).any() for a, b in zip(each, still, strict=True)) / len(x) for each in moved])


def parameter_table(size=32, in_channels=1, channels=(6, 16), kernel_size=5, hidden=(120, 84), classes=10):
    def layers(channel, side, filters, outputs):
        if filters:
            yield (channel * kernel_size**2 + 1) * filters[0]
            yield from layers(filters[0], (side - kernel_size + 1) // 2, filters[1:], outputs)
        elif outputs:
            yield (channel * side**2 + 1) * outputs[0]
            yield from layers(outputs[0], 1, (), outputs[1:])

    table = dict(zip(("conv1", "conv2", "fc1", "fc2", "fc3"), layers(in_channels, size, channels, (*hidden, classes)), strict=True))
    return {"total": sum(table.values()), **table}


def dense_parameter_count(in_shape, out_shape):
    return locally_connected_parameter_count(in_shape, out_shape, in_shape[1:])


def locally_connected_parameter_count(in_shape, out_shape, kernel_size):
    weights = functools.reduce(operator.mul, Both(kernel_size), in_shape[0])
    return functools.reduce(operator.mul, out_shape, weights + 1)


class Layer:
    """A step of the network that remembers what it needs on the way back."""

    __array_ufunc__ = None  # so that NumPy leaves ``x >> layer`` to the layer

    def __init__(self, params, name):
        self.name, self.w, self.b = name, params[f"{name}.weight"], params[f"{name}.bias"]

    def __rrshift__(self, x):
        """``x >> layer``"""
        self.x = x
        self.z = provided.conv2d_forward(x, self.w, self.b) if self.w.ndim == 4 else linear_forward(x, self.w, self.b)
        self.a = self.z if self.name == "fc3" else self.z.clip(0)
        y = max_pool_forward(self.a, (2, 2)) if self.w.ndim == 4 else self.a
        self.shape = y.shape
        return flatten(y) if self.name == "conv2" else y

    def __rlshift__(self, pair):
        """``(dy, grads) << layer``: the gradient of what it received, and its own in the dictionary."""
        dy, grads = pair
        if self.w.ndim == 4:
            dy = max_pool_backward(dy.reshape(self.shape), self.a, (2, 2))
        if self.name != "fc3":
            dy = dy * np.sign(self.a)
        back = provided.conv2d_backward if self.w.ndim == 4 else linear_backward
        dx, dw, db = back(dy, self.x, self.w)
        return dx, grads | {f"{self.name}.weight": dw, f"{self.name}.bias": db}


def _network(params):
    return [Layer(params, name) for name in ("conv1", "conv2", "fc1", "fc2", "fc3")]


def lenet5_forward(params, x):
    return functools.reduce(operator.rshift, _network(params), x)


def lenet5_loss_and_gradients(params, x, target):
    network = _network(params)
    z = functools.reduce(operator.rshift, network, x)
    z = z - np.take_along_axis(z, z.argmax(axis=1)[:, None], axis=1)
    logs = z - np.log(np.exp(z).sum(axis=1))[:, None]
    wanted = np.take_along_axis(logs, target[:, None], axis=1)
    dz = np.exp(logs)
    np.put_along_axis(dz, target[:, None], np.expm1(wanted), axis=1)
    _, grads = functools.reduce(operator.lshift, reversed(network), (dz / len(x), {}))
    return -wanted.mean().item(), grads


class Tree(dict):
    """Arrays by name, computed with name by name."""

    def __add__(self, other):
        return Tree((name, array + other[name]) for name, array in self.items())

    def __rmul__(self, number):
        return Tree((name, number * array) for name, array in self.items())

    def __sub__(self, other):
        return self + -1 * other


def sgd_momentum_step(params, grads, velocity, *, lr, momentum=0.9):
    faster = momentum * Tree(velocity) + grads
    return Tree(params) - lr * faster, faster


def _steps(params, x, y, batches, lr, momentum):
    velocity = 0 * Tree(params)
    yield None, params
    for batch in batches:
        loss, grads = lenet5_loss_and_gradients(params, x.take(batch, axis=0), y.take(batch))
        params, velocity = sgd_momentum_step(params, grads, velocity, lr=lr, momentum=momentum)
        yield loss, params


def train(params, x, y, batches, *, lr, momentum=0.9):
    losses = []
    for loss, params in _steps(params, x, y, batches, lr, momentum):  # noqa: B020
        losses.append(loss)
    return params, np.fromiter(losses[1:], np.float64)
