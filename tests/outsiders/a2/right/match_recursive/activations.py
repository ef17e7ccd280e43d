"""A dataclass for all normalizations, match statements and recursion over samples; views returned."""
from __future__ import annotations
import math
from dataclasses import dataclass
import numpy as np


def sigmoid(x):
    e = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + e), e / (1 + e))


def sigmoid_backward(dy, x):
    s = sigmoid(x)
    return dy * s * (1 - s)


def tanh(x):
    return 2 * sigmoid(2 * x) - 1


def tanh_backward(dy, x):
    return dy * (1 - tanh(x) ** 2)


def relu(x):
    return x if x.size and x.min() >= 0 else (x + np.abs(x)) / 2  # x itself where nothing is negative


def relu_backward(dy, x):
    return dy * (np.sign(x) + 1) / 2


def leaky_relu(x, negative_slope=0.01):
    return np.where(x >= 0, x, negative_slope * x)


def leaky_relu_backward(dy, x, negative_slope=0.01):
    return np.where(x > 0, dy, negative_slope * dy)


def saturation_point(derivative, fraction):
    if fraction >= 1:
        return 0.0
    t = fraction * derivative(0.0)
    if derivative(100.0) > t:
        return math.inf
    lo, hi = 0.0, 100.0
    for _ in range(60):
        mid = (lo + hi) / 2
        if derivative(mid) <= t:
            hi = mid
        else:
            lo = mid
    return hi


def sign_agreement(dy, x):
    g = dy.T @ x
    return ~((g > 0).any(1) & (g < 0).any(1))


def zigzag_descent(x, y, w0, *, lr, steps):
    path = [np.array(w0)]
    for _ in range(steps):
        w = path[-1]
        path.append(w - lr * (x.T @ (x @ w - y) / len(x)))
    path = np.array(path)
    pts = path.astype(float).tolist()
    length = sum(math.dist(a, b) for a, b in zip(pts, pts[1:]))
    d = math.dist(pts[0], pts[-1])
    return path, length / d if d else math.inf


def softmax(x, axis=-1):
    match axis % x.ndim:
        case 0:
            e = np.exp(x - x.max(axis=0))
            return e / e.sum(axis=0)
        case k:
            return softmax(x.swapaxes(0, k), 0).swapaxes(0, k)


def softmax_backward(dy, y, axis=-1):
    return y * dy - y * np.expand_dims((dy * y).sum(axis), axis)


def log_softmax(x, axis=-1):
    if (top := x.max(axis=axis, keepdims=True)).any():
        return log_softmax(x - top, axis)  # once: then the largest score is 0
    return x - np.log(np.exp(x).sum(axis=axis, keepdims=True))


def log_softmax_backward(dy, y, axis=-1):
    return dy - np.exp(y) * dy.sum(axis=axis, keepdims=True)


def cross_entropy(logits, target, *, ignore_index=-100):
    c = logits.shape[1]
    kept = target != ignore_index
    if (kept & ((target < 0) | (target >= c))).any():
        raise ValueError("target")
    if not kept.any():
        return 0.0
    t = np.where(kept, target, 0)
    l = np.take_along_axis(log_softmax(logits, axis=1), np.expand_dims(t, 1), axis=1)[:, 0]
    return float(-l[kept].mean())


def cross_entropy_backward(logits, target, *, ignore_index=-100):
    kept = target != ignore_index
    m = int(kept.sum())
    if not m:
        return np.zeros_like(logits)
    c = np.arange(logits.shape[1]).reshape(-1, *[1] * (logits.ndim - 2))
    d = softmax(logits, axis=1) - (np.expand_dims(target, 1) == c)
    return (np.where(np.expand_dims(kept, 1), d, 0) / m).astype(logits.dtype)


@dataclass(frozen=True)
class Normalized:
    """An array without its mean along some axes and over its deviation, and the way back."""

    hat: np.ndarray
    sigma: np.ndarray
    axes: tuple
    mean: np.ndarray
    squares: np.ndarray

    @classmethod
    def of(cls, x, axes, eps):
        mean = x.mean(axis=axes, keepdims=True)
        squares = np.square(x - mean).sum(axis=axes, keepdims=True)
        sigma = np.sqrt(squares / math.prod(x.shape[a] for a in axes) + eps)
        return cls((x - mean) / sigma, sigma, axes, mean, squares)

    def back(self, g):
        return (g - self._mean(g) - self.hat * self._mean(g * self.hat)) / self.sigma

    def _mean(self, a):
        return a.mean(axis=self.axes, keepdims=True)


def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    match x.shape, training:
        case (_, channels), _:
            y, *others = batch_norm_forward(
                x[:, :, None, None], gamma, beta, running_mean, running_var,
                training=training, momentum=momentum, eps=eps,
            )
            return y[:, :, 0, 0], *others
        case (n, _, h, w), True if n * h * w == 1:
            raise ValueError("one value has no spread")
        case (n, _, h, w), True:
            this = Normalized.of(x, (0, 2, 3), eps)
            y = gamma[:, None, None] * this.hat + beta[:, None, None]
            blend = lambda old, new: (1 - momentum) * old + momentum * new.reshape(-1)
            return y, blend(running_mean, this.mean), blend(running_var, this.squares / (n * h * w - 1))
        case _:
            hat = (x - running_mean[:, None, None]) / np.sqrt(running_var + eps)[:, None, None]
            return gamma[:, None, None] * hat + beta[:, None, None], +running_mean, +running_var


def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    axes = tuple({*range(x.ndim)} - {1})
    this = Normalized.of(x, axes, eps)
    wide = np.swapaxes(gamma[(..., *[None] * (x.ndim - 1))], 0, 1) if x.ndim == 2 else gamma[:, None, None]
    return this.back(dy * wide), (dy * this.hat).sum(axes), dy.sum(axes)


def layer_norm_forward(x, gamma, beta, *, eps=1e-5):
    if x.ndim > gamma.ndim:  # one sample after the other
        return np.stack([layer_norm_forward(sample, gamma, beta, eps=eps) for sample in x])
    return gamma * Normalized.of(x, tuple(range(x.ndim)), eps).hat + beta


def layer_norm_backward(dy, x, gamma, *, eps=1e-5):
    if x.ndim > gamma.ndim:
        dxs, dgammas, dbetas = zip(*(layer_norm_backward(g, sample, gamma, eps=eps) for g, sample in zip(dy, x)))
        return np.stack(dxs), sum(dgammas[1:], dgammas[0]), sum(dbetas[1:], dbetas[0])
    this = Normalized.of(x, tuple(range(x.ndim)), eps)
    return this.back(gamma * dy), dy * this.hat, dy  # dy itself: a view is allowed


def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    def normalize(z):
        a = 0 if norm == "batch" else 1
        zc = z - z.mean(a, keepdims=True)
        return zc / np.sqrt((zc**2).mean(a, keepdims=True) + 1e-5)

    out = {k: [] for k in ("mean", "std", "positive", "saturated")}
    h = x
    for w in weights:
        z = h @ w.T
        if norm and not norm_after:
            z = normalize(z)
        if activation == "sigmoid":
            h = sigmoid(z); sat = h * (1 - h) <= 0.025
        elif activation == "tanh":
            h = tanh(z); sat = 1 - h**2 <= 0.1
        else:
            h = relu(z); sat = z <= 0
        if norm and norm_after:
            h = normalize(h)
        d = h.astype(float)
        for k, v in zip(out, (d.mean(), d.std(), (h > 0).mean(), sat.mean())):
            out[k].append(v)
    return {k: np.array(v, dtype=float) for k, v in out.items()}


def xavier_uniform(out, in_, *, rng):
    a = math.sqrt(6 / (in_ + out))
    return rng.uniform(-a, a, (out, in_))


def he_normal(out, in_, *, rng):
    return rng.normal(0, math.sqrt(2 / in_), (out, in_))
