"""Layers as classes that keep what they need, and functions that are thin fronts of them."""

import cmath
import math
from dataclasses import dataclass, field
from functools import partial, reduce

import numpy as np


@dataclass
class Pointwise:
    """A function of numbers with its slope, in pieces: left of 0 and right of it."""

    x: np.ndarray
    dtype: np.dtype = field(init=False)

    def __post_init__(self):
        self.dtype = self.x.dtype
        self.x = np.array(self.x, dtype=np.float64, order="C")

    def y(self):
        raise TypeError

    def slope(self):
        raise TypeError

    def forward(self):
        return self.y().astype(self.dtype, copy=False)

    def backward(self, dy):
        out = np.array(dy, np.float64)
        out *= self.slope()
        return out.astype(self.dtype, copy=False)


class Sigmoid(Pointwise):
    def y(self):
        out, left = np.empty_like(self.x), self.x < 0
        np.exp(self.x, out=out, where=left)
        out[left] /= 1 + out[left]
        out[~left] = np.exp2(-self.x[~left] / math.log(2))
        out[~left] = 1 / (1 + out[~left])
        return out

    def slope(self):
        e = np.exp(-np.abs(self.x))
        return e / (1 + e) ** 2


class Tanh(Pointwise):
    def y(self):
        # tan(ix) / i, by its own formula in e
        e = np.expm1(-2 * np.abs(self.x))
        return np.where(self.x < 0, 1, -1) * e / (2 + e)

    def slope(self):
        e = np.exp(-2 * np.abs(self.x))
        return 4 * e / (1 + e) ** 2


class Leaky(Pointwise):
    a = 0.0

    def y(self):
        return np.piecewise(self.x, [self.x < 0], [lambda t: self.a * t, lambda t: t])

    def slope(self):
        return np.choose((np.sign(self.x) + 1).astype(int), [self.a, (1 + self.a) / 2, 1.0])


def sigmoid(x):
    return Sigmoid(x).forward()


def sigmoid_backward(dy, x):
    return Sigmoid(x).backward(dy)


def tanh(x):
    return Tanh(x).forward()


def tanh_backward(dy, x):
    return Tanh(x).backward(dy)


def leaky_relu(x, negative_slope=0.01):
    layer = Leaky(x)
    layer.a = negative_slope
    return layer.forward()


def leaky_relu_backward(dy, x, negative_slope=0.01):
    layer = Leaky(x)
    layer.a = negative_slope
    return layer.backward(dy)


relu, relu_backward = partial(leaky_relu, negative_slope=0.0), partial(leaky_relu_backward, negative_slope=0.0)


def saturation_point(derivative, fraction):
    class Reached(Exception):
        pass

    threshold = float(derivative(0.0) * fraction)
    reached = lambda x: derivative(float(x)) <= threshold
    if fraction >= 1:
        return 0.0
    if not reached(100.0):
        return math.inf
    # powers of two from above: the largest multiple of 2 ** -30 that is not reached yet
    steps = 0
    for bit in reversed(range(37)):
        candidate = steps | 1 << bit
        if candidate <= 100 << 30 and not reached(candidate / (1 << 30)):
            steps = candidate
    return (steps + 1) / (1 << 30)


def sign_agreement(dy, x):
    gradient = np.tensordot(dy, x, axes=(0, 0))
    signs = np.sign(gradient).astype(np.int64)
    return np.abs(signs.sum(axis=1)) == np.abs(signs).sum(axis=1)


class Walker:
    def __init__(self, x, y, w, lr):
        self.x, self.y, self.lr = x, y, lr
        self.path = [np.asarray(w).copy()]

    def __iter__(self):
        return self

    def __next__(self):
        w = self.path[-1]
        gradient = np.dot(np.dot(self.x, w) - self.y, self.x)
        self.path.append(w - gradient * (self.lr / len(self.x)))
        return self.path[-1]


def zigzag_descent(x, y, w0, *, lr, steps):
    walker = Walker(x, y, w0, lr)
    for _, _ in zip(range(steps), walker):
        pass
    z = [complex(*map(float, w)) for w in walker.path]
    length, straight = sum(abs(b - a) for a, b in zip(z, z[1:])), abs(z[-1] - z[0])
    return np.array(walker.path), (length / straight if z[-1] != z[0] else math.inf)


class LogSoftmax:
    def __init__(self, x, axis):
        self.x, self.axis = x.astype(np.float64), axis % x.ndim
        self.index = lambda c: (slice(None),) * self.axis + (slice(c, c + 1),)

    def log_sum(self):
        parts = [self.x[self.index(c)] for c in range(self.x.shape[self.axis])]
        return reduce(np.logaddexp, parts)

    def forward(self):
        out = self.x
        out -= out.max(axis=self.axis, keepdims=True)
        out -= self.log_sum()
        return out


def log_softmax(x, axis=-1):
    return LogSoftmax(x, axis).forward().astype(x.dtype)


def softmax(x, axis=-1):
    return np.exp(LogSoftmax(x, axis).forward()).astype(x.dtype)


def softmax_backward(dy, y, axis=-1):
    weighted = dy * y
    return weighted - y * np.add.reduce(weighted, axis=axis, keepdims=True)


def log_softmax_backward(dy, y, axis=-1):
    return np.subtract(dy, np.multiply(np.exp(y), np.add.reduce(dy, axis=axis, keepdims=True)))


class Decisions:
    """Targets and logits as a list of decisions."""

    def __init__(self, logits, target, ignore_index):
        self.shape, self.dtype, self.classes = logits.shape, logits.dtype, logits.shape[1]
        self.rows = logits.reshape(*logits.shape[:2], -1).transpose(0, 2, 1).reshape(-1, self.classes)
        self.right = target.flatten()
        self.which = np.flatnonzero(self.right != ignore_index)

    def check(self):
        chosen = self.right[self.which]
        if np.setdiff1d(chosen, np.arange(self.classes)).size:
            raise ValueError("targets")
        return self

    def loss(self):
        if not len(self.which):
            return 0.0
        lanes = log_softmax(self.rows[self.which])
        return -sum(lanes[k, t] for k, t in enumerate(self.right[self.which])).item() / len(self.which)

    def gradient(self):
        out = np.zeros((len(self.rows), self.classes), self.dtype)
        if len(self.which):
            out[self.which] = softmax(self.rows[self.which])
            np.subtract.at(out, (self.which, self.right[self.which]), 1)
            out /= len(self.which)
        n = self.shape[0]
        return out.reshape(n, -1, self.classes).transpose(0, 2, 1).reshape(self.shape)


def cross_entropy(logits, target, *, ignore_index=-100):
    return Decisions(logits, target, ignore_index).check().loss()


def cross_entropy_backward(logits, target, *, ignore_index=-100):
    return Decisions(logits, target, ignore_index).gradient()


class Normalizer:
    """Numbers that share statistics along some axes; Welford's way of collecting mean and squares."""

    def __init__(self, x, axes, eps, mean=None, var=None):
        self.dtype, self.axes, self.eps = x.dtype, axes, eps
        self.x = x.astype(np.float64)
        self.m = math.prod(x.shape[a] for a in axes)
        if mean is None:
            self.collect()
        else:
            self.mean, self.squares = mean, var * self.m
        self.sigma = np.sqrt(self.squares / self.m + eps)
        self.normal = (self.x - self.mean) / self.sigma

    def collect(self):
        front = np.moveaxis(self.x, self.axes, range(len(self.axes)))
        front = front.reshape(self.m, *front.shape[len(self.axes) :])
        mean, squares = np.zeros(front.shape[1:]), np.zeros(front.shape[1:])
        for n, value in enumerate(front, 1):
            delta = value - mean
            mean = mean + delta / n
            squares = squares + delta * (value - mean)
        self.mean, self.squares = (np.expand_dims(a, self.axes) for a in (mean, squares))

    def backward(self, g):
        away = [np.ones_like(self.normal), self.normal]
        out = g.astype(np.float64)
        for direction in away:
            out = out - direction * (g * direction).mean(axis=self.axes, keepdims=True)
        return out / self.sigma


def _channels(x, v):
    return v.astype(np.float64).reshape(-1, *[1] * (x.ndim - 2))


def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    axes = tuple({*range(x.ndim)} - {1})
    if training and x.size == x.shape[1]:
        raise ValueError("a single value")
    known = () if training else tuple(_channels(x, v)[None] for v in (running_mean, running_var))
    norm = Normalizer(x, axes, eps, *known)
    y = _channels(x, gamma) * norm.normal + _channels(x, beta)
    running = [running_mean.astype(np.float64), running_var.astype(np.float64)]
    if training:
        for old, new in zip(running, (norm.mean, norm.squares / (norm.m - 1))):
            old *= 1 - momentum
            old += momentum * new.ravel()
    return tuple(a.astype(x.dtype) for a in (y, *running))


def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    axes = (0, 2, 3)[: x.ndim - 1]
    norm = Normalizer(x, axes, eps)
    dx = norm.backward(_channels(x, gamma) * dy)
    return tuple(a.astype(x.dtype) for a in (dx, (dy * norm.normal).sum(axis=axes), dy.sum(axis=axes)))


def layer_norm_forward(x, gamma, beta, *, eps=1e-5):
    norm = Normalizer(x, tuple(range(x.ndim))[-gamma.ndim :], eps)
    return (gamma * norm.normal + beta).astype(x.dtype)


def layer_norm_backward(dy, x, gamma, *, eps=1e-5):
    norm = Normalizer(x, tuple(range(x.ndim))[-gamma.ndim :], eps)
    fold = lambda a: a.reshape(-1, *gamma.shape).sum(axis=0).astype(x.dtype)
    return norm.backward(gamma.astype(np.float64) * dy).astype(x.dtype), fold(dy * norm.normal), fold(dy)


class Network:
    largest = {"sigmoid": 0.25, "tanh": 1.0, "relu": 1.0}

    def __init__(self, activation, norm, norm_after):
        self.layer = {"sigmoid": Sigmoid, "tanh": Tanh, "relu": Leaky}[activation]
        self.top = self.largest[activation]
        self.axes = {"batch": (0,), "layer": (1,), None: None}[norm]
        self.order = ["activate", "normalize"] if norm_after else ["normalize", "activate"]

    def normalize(self, h):
        return h if self.axes is None else Normalizer(h, self.axes, 1e-5).normal

    def activate(self, z):
        layer = self.layer(z)
        slope = layer.slope()
        slope[z == 0] = 0 if self.layer is Leaky else self.top
        self.flat = np.mean(slope <= self.top / 10)
        return layer.y()

    def watch(self, h, weights):
        for w in weights:
            h = np.dot(h.astype(np.float64), np.transpose(w).astype(np.float64))
            for name in self.order:
                h = getattr(self, name)(h)
            yield h.mean(), h.std(), np.mean(h > 0), self.flat


def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    rows = list(Network(activation, norm, norm_after).watch(x, weights))
    return {name: np.array(column) for name, column in zip("mean std positive saturated".split(), zip(*rows))}


def xavier_uniform(out, in_, *, rng):
    a = cmath.sqrt(6 / (in_ + out)).real
    return np.fromiter((rng.uniform(-a, a) for _ in range(out * in_)), float).reshape(out, in_)


def he_normal(out, in_, *, rng):
    return rng.multivariate_normal([0.0], [[2 / in_]], size=(out, in_))[..., 0]
