# Classes; everything is computed in long double and given back in the dtype of the question.
from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int

Wide = np.longdouble


def wide(f):
    @functools.wraps(f)
    def g(*args, **kwargs):
        dtype = args[0].dtype
        with np.errstate(all="ignore"):
            r = f(*(a.astype(Wide) if isinstance(a, np.ndarray) and a.dtype.kind == "f" else a for a in args), **kwargs)
        narrow = lambda v: v.astype(dtype) if isinstance(v, np.ndarray) else v
        return tuple(map(narrow, r)) if isinstance(r, tuple) else narrow(r)
    return g


@dataclass
class Activation:
    f: Callable
    slope: Callable
    top: float

    def back(self, dy, x):
        return dy * self.slope(x)


def _sig(x):
    return np.reciprocal(1 + np.exp(-x))


SIGMOID = Activation(_sig, lambda x: _sig(x) * _sig(-x), 0.25)
TANH = Activation(lambda x: np.sign(x) * -np.expm1(-2 * abs(x)) / (1 + np.exp(-2 * abs(x))), lambda x: 4 * _sig(2 * x) * _sig(-2 * x), 1)
RELU = Activation(lambda x: (x + abs(x)) / 2, lambda x: (1 + np.sign(x)) // 2, 1)


@wide
def sigmoid(x):
    return SIGMOID.f(x)


@wide
def sigmoid_backward(dy, x):
    return SIGMOID.back(dy, x)


@wide
def tanh(x):
    return TANH.f(x)


@wide
def tanh_backward(dy, x):
    return TANH.back(dy, x)


@wide
def relu(x):
    return RELU.f(x)


@wide
def relu_backward(dy, x):
    return RELU.back(dy, x)


class Leaky:
    def __init__(self, a):
        self.a = a

    def __call__(self, x):
        return np.select([x > 0, x <= 0], [x, x * self.a])

    def slope(self, x):
        return np.select([x > 0, x == 0], [1.0, (1 + self.a) / 2], self.a)


@wide
def leaky_relu(x, negative_slope=0.01):
    return Leaky(negative_slope)(x)


@wide
def leaky_relu_backward(dy, x, negative_slope=0.01):
    return dy * Leaky(negative_slope).slope(x)


class Bracket:

    def __init__(self, f, level, left, right):
        self.f, self.level, self.left, self.right = f, level, left, right

    def __iter__(self):
        while self.right - self.left > 1e-9:
            cut = self.left + 0.6180339887 * (self.right - self.left)
            if self.f(cut) > self.level:
                self.left = cut
            else:
                self.right = cut
            yield self.right


def saturation_point(derivative, fraction):
    level = fraction * derivative(0.0)
    if derivative(0.0) <= level:
        return 0.0
    if derivative(100.0) > level:
        return float("inf")
    *_, last = Bracket(derivative, level, 0.0, 100.0)
    return last


def sign_agreement(dy, x):
    grads = np.sum(dy[:, :, None] * x[:, None, :], axis=0)
    return np.logical_or(np.all(grads >= 0, axis=-1), np.all(grads <= 0, axis=-1))


class Walker:
    def __init__(self, x, y, w, lr):
        self.x, self.y, self.w, self.lr = x, y, w, lr
        self.seen = [w]

    def go(self, steps):
        while steps > 0:
            steps -= 1
            error = self.x.dot(self.w) - self.y
            self.w = self.w - self.lr * np.average(error[:, None] * self.x, axis=0)
            self.seen.append(self.w)
        return np.array(self.seen)


@wide
def zigzag_descent(x, y, w0, *, lr, steps):
    path = Walker(x, y, w0, lr).go(steps)
    dist = lambda v: np.hypot(v[..., 0], v[..., 1])
    straight = dist(path[-1] - path[0])
    return path, float(dist(np.diff(path, axis=0)).sum() / straight) if straight else float("inf")


class Scores:
    def __init__(self, x, axis):
        self.z = x - np.amax(x, axis, keepdims=True)
        self.sum = np.exp(self.z).sum(axis, keepdims=True)

    @property
    def p(self):
        return np.exp(self.z) / self.sum

    @property
    def log_p(self):
        return self.z - np.log(self.sum)


@wide
def softmax(x, axis=-1):
    return Scores(x, axis).p


@wide
def softmax_backward(dy, y, axis=-1):
    weighted = np.add.reduce(dy * y, axis=axis, keepdims=True)
    return dy * y - y * weighted


@wide
def log_softmax(x, axis=-1):
    return Scores(x, axis).log_p


@wide
def log_softmax_backward(dy, y, axis=-1):
    return dy - np.exp(y) * np.add.reduce(dy, axis=axis, keepdims=True)


class Task:

    def __init__(self, logits, target, ignore):
        self.shape = logits.shape
        C = logits.shape[1]
        self.rows = logits.reshape(logits.shape[0], C, -1).swapaxes(1, 2).reshape(-1, C)
        flat = target.reshape(-1)
        self.where = np.flatnonzero(flat != ignore)
        self.t = flat[self.where]
        if not np.isin(self.t, np.arange(C)).all():
            raise ValueError("no class")

    def unroll(self, rows):
        n, c, *rest = self.shape
        return rows.reshape(n, -1, c).swapaxes(1, 2).reshape(self.shape)


@wide
def cross_entropy(logits, target, *, ignore_index=-100):
    task = Task(logits, target, ignore_index)
    if task.t.size == 0:
        return 0.0
    lp = Scores(task.rows[task.where], 1).log_p
    return -float(np.mean([row[k] for row, k in zip(lp, task.t)]))


@wide
def cross_entropy_backward(logits, target, *, ignore_index=-100):
    task = Task(logits, target, ignore_index)
    out = np.zeros_like(task.rows)
    for i, k in zip(task.where, task.t):
        out[i] = Scores(task.rows[i], 0).p
        out[i, k] -= 1
    return task.unroll(out / max(len(task.t), 1))


class Normalizer:
    def __init__(self, x, axes, eps):
        self.axes, self.m = axes, int(np.prod([x.shape[a] for a in axes], dtype=int))
        self.mean = self.avg(x)
        self.dev = x - self.mean
        self.var = self.avg(self.dev * self.dev)
        self.root = np.sqrt(self.var + eps)

    def avg(self, v):
        return v.sum(axis=self.axes, keepdims=True) / self.m

    def hat(self):
        return self.dev / self.root

    def back(self, g):
        h = self.hat()
        return (g - self.avg(g) - h * self.avg(g * h)) / self.root


def _c(v, x):
    return v[(None, slice(None)) + (None,) * (x.ndim - 2)]


@wide
def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    axes = (0, 2, 3)[: x.ndim - 1]
    if not training:
        return _c(gamma, x) * (x - _c(running_mean, x)) / np.sqrt(_c(running_var, x) + eps) + _c(beta, x), running_mean, running_var
    n = Normalizer(x, axes, eps)
    if n.m == 1:
        raise ValueError("no spread")
    keep = 1 - momentum
    return (
        _c(gamma, x) * n.hat() + _c(beta, x),
        keep * running_mean + momentum * n.mean.reshape(-1),
        keep * running_var + momentum * n.var.reshape(-1) * n.m / (n.m - 1),
    )


@wide
def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    axes = (0, 2, 3)[: x.ndim - 1]
    n = Normalizer(x, axes, eps)
    return _c(gamma, x) * n.back(dy), (dy * n.hat()).sum(axis=axes), dy.sum(axis=axes)


@wide
def layer_norm_forward(x, gamma, beta, *, eps=1e-5):
    return Normalizer(x, tuple(range(x.ndim))[-gamma.ndim :], eps).hat() * gamma + beta


@wide
def layer_norm_backward(dy, x, gamma, *, eps=1e-5):
    n = Normalizer(x, tuple(range(x.ndim))[-gamma.ndim :], eps)
    dgamma, dbeta = dy * n.hat(), dy
    while dgamma.ndim > gamma.ndim:
        dgamma, dbeta = dgamma.sum(0), dbeta.sum(0)
    return n.back(gamma * dy), dgamma, dbeta


class Network:
    def __init__(self, act, norm, after):
        self.act, self.axis, self.after = act, {"batch": (0,), "layer": (1,), None: None}[norm], after

    def normal(self, z, now):
        return Normalizer(z, self.axis, 1e-5).hat() if self.axis and now else z

    def layer(self, h, w):
        z = self.normal(h @ w.T, not self.after)
        h = self.normal(self.act.f(z), self.after)
        return h, (h.mean(), h.std(), (h > 0).mean(), (self.act.slope(z) <= self.act.top / Wide(10)).mean())


def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    net = Network({"sigmoid": SIGMOID, "tanh": TANH, "relu": Activation(RELU.f, lambda z: (z > 0) * 1.0, 1)}[activation], norm, norm_after)
    h, rows = x.astype(Wide), []
    with np.errstate(all="ignore"):
        for w in weights:
            h, row = net.layer(h, w.astype(Wide))
            rows.append(row)
    return {k: np.array(v, dtype=np.float64) for k, v in zip(("mean", "std", "positive", "saturated"), zip(*rows))}


class Drawer:
    def __init__(self, rng, shape):
        self.rng, self.shape = rng, shape

    def uniform(self, var):
        a = np.sqrt(3 * var)
        return self.rng.uniform(low=-a, high=a, size=self.shape)

    def normal(self, var):
        return self.rng.normal(scale=np.sqrt(var), size=self.shape)


def xavier_uniform(out, in_, *, rng):
    return Drawer(rng, (out, in_)).uniform(2 / (in_ + out))


def he_normal(out, in_, *, rng):
    return Drawer(rng, (out, in_)).normal(2 / in_)
