"""Assignment 3 with classes: a layer is an object with forward and backward."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np
from numpy.lib.stride_tricks import as_strided
from provided import conv2d_backward, conv2d_forward


@dataclass
class Axis:
    """One axis of the picture, seen through windows."""

    size: int
    window: int
    step: int
    pad: int = 0

    @property
    def outputs(self):
        return (self.size + 2 * self.pad - self.window) // self.step + 1

    def check(self):
        if self.pad > self.window // 2:
            raise ValueError(f"padding {self.pad} is more than half of {self.window}")
        if self.window > self.size + 2 * self.pad:
            raise ValueError(f"window {self.window} on {self.size} pixels")


class Windows:
    def __init__(self, x, kernel_size, stride=None, padding=0):
        def both(value):
            return value if isinstance(value, tuple | list) else (value, value)

        stride = kernel_size if stride is None else stride
        self.x = x
        self.axes = [
            Axis(*numbers) for numbers in zip(x.shape[2:], both(kernel_size), both(stride), both(padding), strict=True)
        ]

    def check(self):
        for axis in self.axes:
            axis.check()
        return self

    @cached_property
    def padded(self):
        a, b = self.axes
        N, C = self.x.shape[:2]
        big = np.full((N, C, a.size + 2 * a.pad, b.size + 2 * b.pad), -np.inf, dtype=self.x.dtype)
        big[:, :, a.pad : a.pad + a.size, b.pad : b.pad + b.size] = self.x
        return big

    @cached_property
    def view(self):
        a, b = self.axes
        n, c, h, w = self.padded.strides
        shape = (*self.x.shape[:2], a.outputs, b.outputs, a.window, b.window)
        return as_strided(self.padded, shape, (n, c, h * a.step, w * b.step, h, w), writeable=False)

    def scatter(self, shares):
        """Add shares (N, C, Ho, Wo, kh, kw) to the pixels that they belong to."""
        a, b = self.axes
        N, C = self.x.shape[:2]
        out = np.zeros(self.padded.shape, dtype=shares.dtype)
        n, c, i, j, u, v = np.ogrid[tuple(slice(s) for s in shares.shape)]
        np.add.at(out, (n, c, i * a.step + u, j * b.step + v), shares)
        return out[:, :, a.pad : a.pad + a.size, b.pad : b.pad + b.size]


def max_pool_forward(x, kernel_size, *, stride=None, padding=0):
    return Windows(x, kernel_size, stride, padding).check().view.max(axis=(-2, -1))


def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    w = Windows(x, kernel_size, stride, padding)
    flat = w.view.reshape(*w.view.shape[:4], -1)
    shares = np.zeros(flat.shape, dtype=dy.dtype)
    np.put_along_axis(shares, flat.argmax(axis=-1)[..., None], dy[..., None], axis=-1)
    return w.scatter(shares.reshape(w.view.shape))


def avg_pool_forward(x, kernel_size, *, stride=None):
    return Windows(x, kernel_size, stride).view.mean(axis=(-2, -1))


def avg_pool_backward(dy, x, kernel_size, *, stride=None):
    w = Windows(np.broadcast_to(dy.dtype.type(0), x.shape), kernel_size, stride)
    share = dy / (w.axes[0].window * w.axes[1].window)
    return w.scatter(np.broadcast_to(share[..., None, None], w.view.shape))


def min_pool_zero_fraction(x, kernel_size):
    smallest = Windows(ReLU().forward(x), kernel_size).view.min(axis=(-2, -1))
    return 1 - np.count_nonzero(smallest) / smallest.size


def flatten(x):
    if x.ndim == 2:
        return x
    parts = [flatten(x[:, k]) if x.ndim > 3 else x[:, k] for k in range(x.shape[1])]
    return np.concatenate(parts, axis=1)


class Layer:
    grads: tuple = ()


class ReLU(Layer):
    def forward(self, x):
        self.on = x > 0
        return np.where(self.on, x, x.dtype.type(0))

    def backward(self, d):
        return np.where(self.on, d, d.dtype.type(0))


class Pool(Layer):
    def forward(self, x):
        self.x = x
        return max_pool_forward(x, 2)

    def backward(self, d):
        return max_pool_backward(d, self.x, 2)


class Flat(Layer):
    def forward(self, x):
        self.shape = x.shape
        return flatten(x)

    def backward(self, d):
        return d.reshape(self.shape)


class Parametric(Layer):
    def __init__(self, name, params):
        self.name, self.w, self.b = name, params[name + ".weight"], params[name + ".bias"]


class Conv(Parametric):
    def forward(self, x):
        self.x = x
        return conv2d_forward(x, self.w, self.b)

    def backward(self, d):
        d, *self.grads = conv2d_backward(d, self.x, self.w)
        return d


class Linear(Parametric):
    def forward(self, x):
        self.x = x
        return linear_forward(x, self.w, self.b)

    def backward(self, d):
        d, *self.grads = linear_backward(d, self.x, self.w)
        return d


def network(p):
    yield from (Conv("conv1", p), ReLU(), Pool(), Conv("conv2", p), ReLU(), Pool(), Flat())
    yield from (Linear("fc1", p), ReLU(), Linear("fc2", p), ReLU(), Linear("fc3", p))


def linear_forward(x, w, b):
    return np.concatenate([x, np.ones_like(x[:, :1])], axis=1) @ np.concatenate([w, b[:, None]], axis=1).T


def linear_backward(dy, x, w):
    both = dy.T @ np.concatenate([x, np.ones_like(x[:, :1])], axis=1)
    return dy @ w, both[:, :-1], both[:, -1]


def shift_image(x, down, right):
    def along(x, axis, by):
        if by == 0:
            return x
        gap = list(x.shape)
        gap[axis] = min(abs(by), x.shape[axis])
        zeros, keep = np.zeros(gap, x.dtype), x.shape[axis] - gap[axis]
        kept = np.moveaxis(np.moveaxis(x, axis, 0)[:keep] if by > 0 else np.moveaxis(x, axis, 0)[gap[axis] :], 0, axis)
        return np.concatenate([zeros, kept] if by > 0 else [kept, zeros], axis=axis)

    return along(along(x, x.ndim - 2, down), x.ndim - 1, right)


class Comparison:
    def __init__(self, layer, x, shift, stride):
        self.left = layer(shift_image(x, *shift))
        self.right = shift_image(layer(x), *(int(s / stride) for s in shift))

    def crop(self, margin):
        if margin:
            self.left, self.right = (a[..., margin:-margin, margin:-margin] for a in (self.left, self.right))
        return self

    def error(self):
        n, d = np.abs(self.left - self.right).max(), np.abs(self.right).max()
        if d > 0:
            return float(n / d)
        return float("inf") if n > 0 else 0.0


def equivariance_error(layer, x, shift, *, stride=1, margin=0):
    return Comparison(layer, x, shift, stride).crop(margin).error()


def invariance_rate(layer, x, shifts):
    rates = np.zeros(len(shifts))
    for k, shift in enumerate(shifts):
        changed = np.abs(layer(x) - layer(shift_image(x, *shift))) > 1e-12
        rates[k] = 1 - changed.any(axis=tuple(range(1, changed.ndim))).mean()
    return rates


@dataclass
class Counter:
    side: int
    channels: int

    def conv(self, filters, k):
        count = filters * (self.channels * k**2 + 1)
        self.side, self.channels = (self.side - k + 1) // 2, filters
        return count

    def linear(self, outputs):
        count = outputs * (self.channels * self.side**2 + 1)
        self.side, self.channels = 1, outputs
        return count


def parameter_table(size=32, in_channels=1, channels=(6, 16), kernel_size=5, hidden=(120, 84), classes=10):
    c = Counter(size, in_channels)
    table = {"conv1": c.conv(channels[0], kernel_size), "conv2": c.conv(channels[1], kernel_size)}
    table |= {"fc1": c.linear(hidden[0]), "fc2": c.linear(hidden[1]), "fc3": c.linear(classes)}
    return table | {"total": sum(table.values())}


def product(numbers):
    return reduce(lambda a, b: a * b, numbers, 1)


def dense_parameter_count(in_shape, out_shape):
    return product(out_shape) * (product(in_shape) + 1)


def locally_connected_parameter_count(in_shape, out_shape, kernel_size):
    kernel = (kernel_size,) * 2 if isinstance(kernel_size, int) else kernel_size
    return product(out_shape) * (product((in_shape[0], *kernel)) + 1)


def lenet5_forward(params, x):
    return reduce(lambda a, layer: layer.forward(a), network(params), x)


class CrossEntropy:
    def __init__(self, z, target):
        top = z.max(axis=1, keepdims=True)
        self.log_p = z - top - np.log(np.exp(z - top).sum(axis=1, keepdims=True))
        self.truth = (target[:, None] == np.arange(z.shape[1])).astype(z.dtype)

    def loss(self):
        return float(-np.einsum("nk,nk->", self.log_p, self.truth)) / len(self.truth)

    def backward(self):
        return (np.exp(self.log_p) - self.truth) / len(self.truth)


def lenet5_loss_and_gradients(params, x, target):
    layers = list(network(params))
    head = CrossEntropy(reduce(lambda a, layer: layer.forward(a), layers, x), target)
    reduce(lambda d, layer: layer.backward(d), reversed(layers), head.backward())
    grads = {}
    for layer in layers:
        if isinstance(layer, Parametric):
            grads[layer.name + ".weight"], grads[layer.name + ".bias"] = layer.grads
    return head.loss(), {key: grads[key] for key in params}


class Momentum:
    def __init__(self, params, velocity, lr, momentum):
        self.params = {key: value.copy() for key, value in params.items()}
        self.velocity = {key: value.copy() for key, value in velocity.items()}
        self.lr, self.momentum = lr, momentum

    def step(self, grads):
        for key in self.params:
            self.velocity[key] *= self.momentum
            self.velocity[key] += grads[key]
            self.params[key] -= self.lr * self.velocity[key]


def sgd_momentum_step(params, grads, velocity, *, lr, momentum=0.9):
    state = Momentum(params, velocity, lr, momentum)
    state.step(grads)
    return state.params, state.velocity


def train(params, x, y, batches, *, lr, momentum=0.9):
    state = Momentum(params, {key: np.zeros_like(p) for key, p in params.items()}, lr, momentum)
    losses = np.zeros(len(batches))
    for step, batch in enumerate(batches):
        losses[step], grads = lenet5_loss_and_gradients(state.params, x[batch], y[batch])
        state.step(grads)
    return state.params, losses
