"""Helper classes: an entrywise function with its slope, a normalization over some axes, a soft choice along an axis."""
from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np


class Logistic:
    @staticmethod
    def value(x):
        e = np.exp(-np.abs(x))
        return np.where(x < 0, e, np.ones_like(e)) / (1 + e)

    @staticmethod
    def slope(x):
        e = np.exp(-np.abs(x))
        return e / (1 + e) ** 2

    largest = 0.25


class Tangent:
    @staticmethod
    def value(x):
        e = np.exp(-2 * np.abs(x))
        return np.copysign((1 - e) / (1 + e), x)

    @staticmethod
    def slope(x):
        return 4 * Logistic.slope(2 * x)

    largest = 1.0


@dataclass(frozen=True)
class Bent:
    left: float = 0.0
    largest: float = 1.0

    def value(self, x):
        y = np.array(x)
        y[y < 0] *= self.left
        return y

    def slope(self, x):
        s = np.zeros_like(x)
        s[x > 0] = 1
        s[x <= 0] = self.left
        return s


def sigmoid(x):
    return Logistic.value(x)


def sigmoid_backward(dy, x):
    return dy * Logistic.slope(x)


def tanh(x):
    return Tangent.value(x)


def tanh_backward(dy, x):
    return dy * Tangent.slope(x)


def relu(x):
    return Bent().value(x)


def relu_backward(dy, x):
    return dy * Bent().slope(x)


def leaky_relu(x, negative_slope=0.01):
    return Bent(negative_slope).value(x)


def leaky_relu_backward(dy, x, negative_slope=0.01):
    return dy * Bent(negative_slope).slope(x)


def saturation_point(derivative, fraction):
    bound = derivative(0.0) * fraction

    def search(low, high, depth):
        """The point lies right of low and not right of high."""
        middle = (low + high) / 2
        if depth == 0:
            return middle
        return search(low, middle, depth - 1) if derivative(middle) <= bound else search(middle, high, depth - 1)

    if fraction >= 1:
        return 0.0
    return search(0.0, 100.0, 40) if derivative(100.0) <= bound else float("inf")


def sign_agreement(dy, x):
    """Each sample adds its own table; the largest and the smallest gradient of a neuron tell the rest."""
    total = np.zeros((dy.shape[1], x.shape[1]), x.dtype)
    for g, v in zip(dy, x):
        total += np.multiply.outer(g, v)
    return (total.min(axis=1, initial=0) >= 0) | (total.max(axis=1, initial=0) <= 0)


@dataclass
class Walker:
    x: np.ndarray
    y: np.ndarray
    path: list = field(default_factory=list)
    walked: float = 0.0

    def step(self, lr):
        here = self.path[-1]
        error = self.x @ here - self.y
        self.path.append(here - lr * (self.x.T @ error) / len(self.y))
        self.walked += float(np.hypot(*(self.path[-1] - here)))

    @property
    def ratio(self):
        straight = float(np.hypot(*(self.path[-1] - self.path[0])))
        return float("inf") if straight == 0 else self.walked / straight


def zigzag_descent(x, y, w0, *, lr, steps):
    walker = Walker(x, y, [w0.copy()])
    for _ in range(steps):
        walker.step(lr)
    return np.array(walker.path), walker.ratio


class Choice:
    """Scores along one axis, which lies last while we work."""

    def __init__(self, x, axis):
        self.axis = axis
        self.scores = np.moveaxis(x, axis, -1)
        self.scores = self.scores - np.max(self.scores, axis=-1)[..., None]
        self.weights = np.exp(self.scores)
        self.total = np.sum(self.weights, axis=-1)[..., None]

    def probabilities(self):
        return np.moveaxis(self.weights / self.total, -1, self.axis)

    def logarithms(self):
        return np.moveaxis(self.scores - np.log(self.total), -1, self.axis)


def softmax(x, axis=-1):
    return Choice(x, axis).probabilities()


def softmax_backward(dy, y, axis=-1):
    return y * dy - y * np.expand_dims((y * dy).sum(axis=axis), axis)


def log_softmax(x, axis=-1):
    return Choice(x, axis).logarithms()


def log_softmax_backward(dy, y, axis=-1):
    return dy - np.exp(y) * np.expand_dims(dy.sum(axis=axis), axis)


class Targets:
    def __init__(self, target, classes, ignore_index):
        self.kept = target != ignore_index
        self.count = int(np.count_nonzero(self.kept))
        self.safe = np.where(self.kept, target, 0)[:, np.newaxis]
        self.valid = not np.any((self.safe < 0) | (self.safe >= classes))


def cross_entropy(logits, target, *, ignore_index=-100):
    t = Targets(target, logits.shape[1], ignore_index)
    if not t.valid:
        raise ValueError("a target is no class")
    chosen = np.take_along_axis(log_softmax(logits, axis=1), t.safe, axis=1)[:, 0]
    return -float(chosen[t.kept].sum()) / t.count if t.count else 0.0


def cross_entropy_backward(logits, target, *, ignore_index=-100):
    t = Targets(target, logits.shape[1], ignore_index)
    p = softmax(logits, axis=1).copy()
    np.put_along_axis(p, t.safe, np.take_along_axis(p, t.safe, axis=1) - 1, axis=1)
    return np.where(t.kept[:, np.newaxis], p, 0) / max(t.count, 1)


class Normalization:
    """x without its mean, over its deviation, along some axes; twice centred, for numbers far from zero."""

    def __init__(self, x, axes, eps):
        self.axes, self.m = axes, 1
        for axis in axes:
            self.m *= x.shape[axis]
        self.mean = x.mean(axis=axes, keepdims=True)
        self.rest = x - self.mean
        self.rest = self.rest - self.rest.mean(axis=axes, keepdims=True)
        self.squares = (self.rest * self.rest).sum(axis=axes, keepdims=True)
        self.deviation = (self.squares / self.m + eps) ** 0.5
        self.hat = self.rest / self.deviation

    def backward(self, g):
        share = (g * self.hat).sum(axis=self.axes, keepdims=True) / self.m
        return (g - g.sum(axis=self.axes, keepdims=True) / self.m - self.hat * share) / self.deviation


def narrow(x, *arrays):
    return tuple(array.astype(x.dtype) for array in arrays)


def _channels(x):
    return tuple(axis for axis in range(x.ndim) if axis != 1), (1, -1) + (1,) * (x.ndim - 2)


def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    axes, wide = _channels(x)
    gamma, beta = gamma.reshape(wide), beta.reshape(wide)
    if not training:
        hat = (x - running_mean.reshape(wide)) / (running_var.reshape(wide) + eps) ** 0.5
        return gamma * hat + beta, np.array(running_mean), np.array(running_var)
    n = Normalization(x, axes, eps)
    if n.m < 2:
        raise ValueError("one value has no spread")
    news = (n.mean.ravel(), running_mean), (n.squares.ravel() / (n.m - 1), running_var)
    return (gamma * n.hat + beta, *(old * (1 - momentum) + new * momentum for new, old in news))


def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    axes, wide = _channels(x)
    n, dy = Normalization(x.astype(np.float64), axes, eps), dy.astype(np.float64)
    return narrow(x, n.backward(dy * gamma.reshape(wide)), (dy * n.hat).sum(axis=axes), dy.sum(axis=axes))


def layer_norm_forward(x, gamma, beta, *, eps=1e-5):
    return Normalization(x, tuple(range(x.ndim - gamma.ndim, x.ndim)), eps).hat * gamma + beta


def layer_norm_backward(dy, x, gamma, *, eps=1e-5):
    before = x.ndim - gamma.ndim
    n, dy = Normalization(x.astype(np.float64), tuple(range(before, x.ndim)), eps), dy.astype(np.float64)
    rest = tuple(range(before))
    return narrow(x, n.backward(gamma * dy), (dy * n.hat).sum(axis=rest), dy.sum(axis=rest))


def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    unit = {"sigmoid": Logistic, "tanh": Tangent, "relu": Bent()}[activation]
    axes = {"batch": (0,), "layer": (1,)}.get(norm)
    record, h = defaultdict(list), np.asarray(x, np.float64)
    for w in weights:
        z = h @ np.asarray(w, np.float64).T
        if axes and not norm_after:
            z = Normalization(z, axes, 1e-5).hat
        h = unit.value(z)
        if axes and norm_after:
            h = Normalization(h, axes, 1e-5).hat
        record["mean"].append(np.mean(h))
        record["std"].append(np.std(h))
        record["positive"].append(np.mean(h > 0))
        record["saturated"].append(np.mean(unit.slope(z) <= 0.1 * unit.largest))
    return {key: np.asarray(values, np.float64) for key, values in record.items()}


def xavier_uniform(out, in_, *, rng):
    a = (6 / (in_ + out)) ** 0.5
    return rng.uniform(low=-a, high=a, size=(out, in_))


def he_normal(out, in_, *, rng):
    return rng.normal(loc=0, scale=(2 / in_) ** 0.5, size=(out, in_))
