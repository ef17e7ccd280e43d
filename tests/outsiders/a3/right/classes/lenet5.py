"""Layers as dataclasses with a forward that returns its own way back; generators; match."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np
import provided


@dataclass(frozen=True)
class Pooling:
    """Which pixels of the image (not padded) are at place (u, v) of which windows."""

    height: int
    width: int
    kernel: tuple[int, int]
    stride: tuple[int, int]
    padding: tuple[int, int] = (0, 0)

    @classmethod
    def of(cls, x, kernel, stride, padding=0):
        return cls(*x.shape[2:], both(kernel), both(kernel if stride is None else stride), both(padding))

    def side(self, axis: int) -> int:
        long = (self.height, self.width)[axis] + 2 * self.padding[axis] - self.kernel[axis]
        return long // self.stride[axis] + 1

    @cached_property
    def windows(self) -> tuple[int, int]:
        return self.side(0), self.side(1)

    def cut(self, axis: int, place: int) -> tuple[slice, slice]:
        """Windows whose pixel at this place exists, and these pixels."""
        s, off, long = self.stride[axis], place - self.padding[axis], (self.height, self.width)[axis]
        first = max(0, -(off // s))  # the smallest i with s * i + off >= 0
        last = min(self.windows[axis] - 1, (long - 1 - off) // s)
        count = max(0, last - first + 1)
        start = s * first + off
        return slice(first, first + count), slice(start, start + s * (count - 1) + 1, s) if count else slice(0, 0)

    def places(self) -> Iterator[tuple[tuple, tuple]]:
        for u, v in product(*map(range, self.kernel)):
            (i, r), (j, q) = self.cut(0, u), self.cut(1, v)
            yield (..., i, j), (..., r, q)

    def largest(self, x):
        y = np.full(x.shape[:2] + self.windows, -np.inf, dtype=x.dtype)
        for window, pixel in self.places():
            np.maximum(y[window], x[pixel], out=y[window])
        return y


def both(p):
    match p:
        case (a, b):
            return a, b
        case a:
            return a, a


def max_pool_forward(x, kernel_size, *, stride=None, padding=0):
    pooling = Pooling.of(x, kernel_size, stride, padding)
    for axis in (0, 1):
        match pooling.kernel[axis], pooling.padding[axis], x.shape[2 + axis]:
            case k, p, _ if p > k // 2:
                raise ValueError(f"padding {p} is more than half of the window {k}")
            case k, p, side if k > side + 2 * p:
                raise ValueError(f"the window {k} is larger than the padded image")
    return pooling.largest(x)


def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    pooling = Pooling.of(x, kernel_size, stride, padding)
    y = pooling.largest(x)
    open_ = np.ones(y.shape, dtype=bool)
    dx = np.zeros(x.shape, x.dtype)
    for window, pixel in pooling.places():
        wins = open_[window] & (x[pixel] == y[window])
        dx[pixel] += np.where(wins, dy[window], 0).astype(x.dtype, copy=False)
        open_[window] &= ~wins
    return dx


def avg_pool_forward(x, kernel_size, *, stride=None):
    pooling = Pooling.of(x, kernel_size, stride)
    total = np.zeros(x.shape[:2] + pooling.windows, np.float64)
    for _, pixel in pooling.places():
        total += x[pixel]
    kh, kw = pooling.kernel
    return (total / (kh * kw)).astype(x.dtype)


def avg_pool_backward(dy, x, kernel_size, *, stride=None):
    pooling = Pooling.of(x, kernel_size, stride)
    dx = np.zeros(x.shape, x.dtype)
    for window, pixel in pooling.places():
        dx[pixel] += dy[window] / (pooling.kernel[0] * pooling.kernel[1])
    return dx


def min_pool_zero_fraction(x, kernel_size):
    pooling = Pooling.of(x, kernel_size, None)
    alive = np.ones(x.shape[:2] + pooling.windows, dtype=bool)
    for _, pixel in pooling.places():
        alive &= x[pixel] > 0
    return (alive.size - int(alive.sum())) / alive.size


def flatten(x):
    lines = [x[:, c, i, :] for c in range(x.shape[1]) for i in range(x.shape[2])]
    return np.concatenate(lines, axis=1).astype(x.dtype, copy=False)


def linear_forward(x, w, b):
    return (w @ x.T + b[:, None]).T


class LinearGradients(NamedTuple):
    dx: np.ndarray
    dw: np.ndarray
    db: np.ndarray


def linear_backward(dy, x, w):
    return LinearGradients(dy @ w, (x.T @ dy).T, np.ones(len(dy), dy.dtype) @ dy)


def shift_image(x, down, right):
    def moved(a, by, axis):
        a = np.moveaxis(a, axis, 0)
        blank = np.zeros_like(a)
        match by:
            case 0:
                blank[:] = a
            case _ if abs(by) >= len(a):
                pass
            case _ if by > 0:
                blank[by:] = a[:-by]
            case _:
                blank[:by] = a[-by:]
        return np.moveaxis(blank, 0, axis)

    return moved(moved(x, right, -1), down, -2)


class _Crop:
    def __init__(self, margin):
        self.margin = margin

    def __call__(self, y):
        inner = slice(self.margin, -self.margin or None)
        return y[:, :, inner, inner]


def equivariance_error(layer, x, shift, *, stride=1, margin=0):
    crop = _Crop(margin)
    want = crop(shift_image(layer(x), *(by // stride for by in shift)))
    off = np.abs(crop(layer(shift_image(x, *shift))) - want).max().item()
    match off, np.abs(want).max().item():
        case 0, 0:
            return 0.0
        case _, 0:
            return float("inf")
        case _, size:
            return off / size


def invariance_rate(layer, x, shifts):
    def rates():
        before = layer(x)
        for shift in shifts:
            after = layer(shift_image(x, *shift))
            yield sum(bool(np.all(np.abs(a - b) <= 1e-12)) for a, b in zip(after, before)) / len(x)

    return np.fromiter(rates(), np.float64)


@dataclass
class Counter:
    side: int
    kernel: int
    table: OrderedDict = field(default_factory=OrderedDict)

    def conv(self, name, i, o):
        self.table[name] = o * (i * self.kernel * self.kernel + 1)
        self.side = (self.side - self.kernel + 1) // 2

    def fc(self, name, i, o):
        self.table[name] = o * (i + 1)


def parameter_table(size=32, in_channels=1, channels=(6, 16), kernel_size=5, hidden=(120, 84), classes=10):
    count = Counter(size, kernel_size)
    for name, (i, o) in zip(("conv1", "conv2"), pairwise((in_channels, *channels))):
        count.conv(name, i, o)
    for name, (i, o) in zip(("fc1", "fc2", "fc3"), pairwise((channels[1] * count.side**2, *hidden, classes))):
        count.fc(name, i, o)
    count.table["total"] = sum(count.table.values())
    return count.table


def dense_parameter_count(in_shape, out_shape):
    match in_shape, out_shape:
        case (c, h, w), (f, i, j):
            return (c * h * w + 1) * f * i * j


def locally_connected_parameter_count(in_shape, out_shape, kernel_size):
    return dense_parameter_count((in_shape[0], *both(kernel_size)), out_shape)


class Step(NamedTuple):
    """What a layer gives: its output, and how a gradient goes back through it (into a dictionary, too)."""

    y: np.ndarray
    back: Callable[[np.ndarray, dict], np.ndarray]


@dataclass
class Conv:
    name: str

    def __call__(self, params, x) -> Step:
        w, b = params[f"{self.name}.weight"], params[f"{self.name}.bias"]

        def back(dy, grads):
            dx, grads[f"{self.name}.weight"], grads[f"{self.name}.bias"] = provided.conv2d_backward(dy, x, w)
            return dx

        return Step(provided.conv2d_forward(x, w, b), back)


@dataclass
class Linear:
    name: str

    def __call__(self, params, x) -> Step:
        w, b = params[f"{self.name}.weight"], params[f"{self.name}.bias"]

        def back(dy, grads):
            dx, grads[f"{self.name}.weight"], grads[f"{self.name}.bias"] = linear_backward(dy, x, w)
            return dx

        return Step(linear_forward(x, w, b), back)


class Relu:
    def __call__(self, params, x) -> Step:
        return Step(x.clip(min=0), lambda dy, grads: np.where(x > 0, dy, dy.dtype.type(0)))


class Pool:
    def __call__(self, params, x) -> Step:
        return Step(max_pool_forward(x, 2), lambda dy, grads: max_pool_backward(dy, x, 2))


class Flat:
    def __call__(self, params, x) -> Step:
        return Step(flatten(x), lambda dy, grads: dy.reshape(x.shape))


PLAN = [Conv("conv1"), Relu(), Pool(), Conv("conv2"), Relu(), Pool(), Flat()]
PLAN += [Linear("fc1"), Relu(), Linear("fc2"), Relu(), Linear("fc3")]


def lenet5_forward(params, x):
    for layer in PLAN:
        x = layer(params, x).y
    return x


def lenet5_loss_and_gradients(params, x, target):
    way = []
    z = x
    for layer in PLAN:
        z, back = layer(params, z)
        way.append(back)
    rows, dtype = np.arange(len(z)), z.dtype
    z = z.astype(np.float64)
    best = z.argmax(axis=1)
    e = np.exp(z - z[rows, best][:, None])
    rest = e.copy()
    rest[rows, best] = 0
    loss = z[rows, best] - z[rows, target] + np.log1p(rest.sum(axis=1))
    dz = e / e.sum(axis=1, keepdims=True)
    dz[rows, target] = 0
    dz[rows, target] = -dz.sum(axis=1)
    d, grads = (dz / len(z)).astype(dtype), OrderedDict()
    while way:
        d = way.pop()(d, grads)
    return loss.mean().item(), grads


class Trained(NamedTuple):
    params: dict
    velocity: dict


def sgd_momentum_step(params, grads, velocity, *, lr, momentum=0.9):
    faster = OrderedDict((key, grads[key] + velocity[key] * momentum) for key in params)
    return Trained(OrderedDict((key, p - faster[key] * lr) for key, p in params.items()), faster)


def train(params, x, y, batches, *, lr, momentum=0.9):
    def path():
        now = Trained(dict(params), {key: np.zeros(p.shape, p.dtype) for key, p in params.items()})
        for batch in batches:
            loss, grads = lenet5_loss_and_gradients(now.params, x[batch], y[batch])
            now = sgd_momentum_step(now.params, grads, now.velocity, lr=lr, momentum=momentum)
            yield loss
        final.append(now.params)

    final: list = []
    losses = np.fromiter(path(), np.float64)
    return final[0], losses
