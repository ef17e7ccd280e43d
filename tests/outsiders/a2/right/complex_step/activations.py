"""Slopes by complex steps, backward passes as Jacobians, float64 inside and cast back by a decorator."""
from __future__ import annotations
import functools
import math
import numpy as np

STEP = 1e-150


def in_double(f):
    """Call f with float64 copies of all floating arrays, and cast what it returns back."""

    @functools.wraps(f)
    def call(*args, **kwargs):
        dtypes = [a.dtype for a in [*args, *kwargs.values()] if isinstance(a, np.ndarray) and a.dtype.kind == "f"]

        def up(a):
            return np.array(a, dtype=np.float64) if isinstance(a, np.ndarray) and a.dtype.kind == "f" else a

        result = f(*map(up, args), **{k: up(v) for k, v in kwargs.items()})

        def down(r):
            if isinstance(r, tuple):
                return tuple(map(down, r))
            return np.asarray(r).astype(dtypes[0]) if isinstance(r, np.ndarray | np.generic) and r.dtype.kind == "f" else r

        return down(result)

    return call


def _logistic(z):
    """For a (complex) z with a real part <= 0."""
    return np.exp(z) / (1 + np.exp(z))


@in_double
def sigmoid(x):
    low = _logistic(-np.abs(x))
    return np.where(x > 0, 1 - low, low)


@in_double
def sigmoid_backward(dy, x):
    return dy * (_logistic(-np.abs(x) + 1j * STEP).imag / STEP)


@in_double
def tanh(x):
    return np.copysign(1, x) * (1 - 2 * _logistic(-2 * np.abs(x)))


@in_double
def tanh_backward(dy, x):
    return dy * (2 * _logistic(-2 * np.abs(x) + 2j * STEP).imag / STEP)


def relu(x):
    return np.clip(x, 0, None)


def relu_backward(dy, x):
    return dy * np.heaviside(x, 0.5).astype(x.dtype)


def leaky_relu(x, negative_slope=0.01):
    return np.clip(x, 0, None) + negative_slope * np.clip(x, None, 0)


def leaky_relu_backward(dy, x, negative_slope=0.01):
    return np.choose(np.asarray(x < 0).astype(int), [dy, dy * negative_slope])


def saturation_point(derivative, fraction):
    if fraction >= 1:
        return 0.0
    threshold = fraction * derivative(0.0)

    def search(left, right):
        """The slope is above the threshold at left, and not at right."""
        if right - left < 1e-8:
            return right
        middle = left + (right - left) / 2
        return search(left, middle) if derivative(middle) <= threshold else search(middle, right)

    return search(0.0, 100.0) if derivative(100.0) <= threshold else np.inf


def sign_agreement(dy, x):
    outer = dy[:, :, None] * x[:, None, :]
    g = outer.sum(axis=0)
    return (g >= 0).all(axis=1) | (g <= 0).all(axis=1)


def zigzag_descent(x, y, w0, *, lr, steps):
    path = [w0]
    while len(path) <= steps:
        path.append(path[-1] - lr * (x.T @ ((x * path[-1]).sum(axis=1) - y)) / len(x))
    points = [complex(float(a), float(b)) for a, b in path]
    length = math.fsum(abs(b - a) for a, b in zip(points, points[1:]))
    direct = abs(points[-1] - points[0])
    return np.stack(path), (length / direct if direct > 0 else math.inf)


@in_double
def softmax(x, axis=-1):
    e = np.exp(x - np.amax(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


@in_double
def softmax_backward(dy, y, axis=-1):
    p, g = np.moveaxis(y, axis, -1), np.moveaxis(dy, axis, -1)
    jacobian = p[..., :, None] * (np.eye(p.shape[-1]) - p[..., None, :])
    return np.moveaxis((jacobian @ g[..., None])[..., 0], -1, axis)


@in_double
def log_softmax(x, axis=-1):
    top = np.amax(x, axis=axis, keepdims=True)
    return (x - top) - np.log(np.sum(np.exp(x - top), axis=axis, keepdims=True))


@in_double
def log_softmax_backward(dy, y, axis=-1):
    p, g = np.exp(np.moveaxis(y, axis, -1)), np.moveaxis(dy, axis, -1)
    jacobian = np.eye(p.shape[-1]) - p[..., :, None]
    return np.moveaxis((jacobian @ g[..., None])[..., 0], -1, axis)


def _flat(logits, target, ignore_index):
    rows = np.moveaxis(logits, 1, -1).reshape(-1, logits.shape[1])
    flat = target.reshape(-1)
    return rows, flat, np.flatnonzero(flat != ignore_index)


def cross_entropy(logits, target, *, ignore_index=-100):
    rows, flat, kept = _flat(logits.astype(np.float64), target, ignore_index)
    chosen = flat[kept]
    if np.setdiff1d(chosen, np.arange(rows.shape[1])).size:
        raise ValueError("a target is no class")
    return float(-np.mean(log_softmax(rows[kept])[np.arange(kept.size), chosen])) if kept.size else 0.0


@in_double
def cross_entropy_backward(logits, target, *, ignore_index=-100):
    rows, flat, kept = _flat(logits, target, ignore_index)
    grad = np.zeros(rows.shape)
    if kept.size:
        grad[kept] = softmax(rows[kept])
        grad[kept, flat[kept]] -= 1
        grad /= kept.size
    return np.moveaxis(grad.reshape(np.moveaxis(logits, 1, -1).shape), -1, 1)


def _project(g, hat):
    """Per row: what is left of g without its mean and its share along hat."""
    n = g.shape[-1]
    basis = np.stack([np.ones_like(hat), hat], axis=-2)
    return g - (np.swapaxes(basis, -1, -2) @ (basis @ g[..., None]))[..., 0] / n


def _rows_by_channel(a):
    return np.stack([a[:, c].ravel() for c in range(a.shape[1])])


def _back(rows, like):
    y = np.empty(like.shape)
    for c, row in enumerate(rows):
        y[:, c] = row.reshape(like[:, c].shape)
    return y


@in_double
def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    rows = _rows_by_channel(x)
    if training:
        if rows.shape[1] < 2:
            raise ValueError("one value has no spread")
        mean, var = rows.mean(axis=1), rows.var(axis=1)
        running_mean = running_mean * (1 - momentum) + mean * momentum
        running_var = running_var * (1 - momentum) + rows.var(axis=1, ddof=1) * momentum
    else:
        mean, var = running_mean, running_var
    y = np.diag(gamma / np.sqrt(var + eps)) @ (rows - mean[:, None]) + beta[:, None]
    return _back(y, x), running_mean, running_var  # both are copies: the decorator made them


@in_double
def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    rows, g = _rows_by_channel(x), _rows_by_channel(dy)
    sigma = np.sqrt(rows.var(axis=1) + eps)[:, None]
    hat = (rows - rows.mean(axis=1, keepdims=True)) / sigma
    return _back(gamma[:, None] / sigma * _project(g, hat), x), (g * hat).sum(axis=1), g.sum(axis=1)


@in_double
def layer_norm_forward(x, gamma, beta, *, eps=1e-5):
    y = np.empty(x.shape)
    for place in np.ndindex(x.shape[: x.ndim - gamma.ndim]):
        sample = x[place]
        y[place] = gamma * ((sample - sample.mean()) / math.sqrt(sample.var() + eps)) + beta
    return y


@in_double
def layer_norm_backward(dy, x, gamma, *, eps=1e-5):
    dx, dgamma, dbeta = np.empty(x.shape), np.zeros(gamma.shape), np.zeros(gamma.shape)
    for place in np.ndindex(x.shape[: x.ndim - gamma.ndim]):
        sigma = math.sqrt(x[place].var() + eps)
        hat = (x[place] - x[place].mean()) / sigma
        dgamma += dy[place] * hat
        dbeta += dy[place]
        dx[place] = _project((gamma * dy[place]).ravel(), hat.ravel()).reshape(gamma.shape) / sigma
    return dx, dgamma, dbeta


def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    def scaled(z):
        d = z - z.mean(axis=0)
        return d / np.sqrt(np.mean(d * d, axis=0) + 1e-5)

    normalize = {None: lambda z: z, "batch": scaled, "layer": lambda z: scaled(z.T).T}[norm]
    f = globals()[activation]
    edge = {
        "sigmoid": lambda z: sigmoid_backward(np.full(z.shape, 4.0), z),
        "tanh": lambda z: tanh_backward(np.ones(z.shape), z),
        "relu": lambda z: np.where(z > 0, 1.0, 0.0),
    }[activation]

    def layers():
        h = x.astype(np.float64)
        for w in weights:
            z = h @ w.T
            z = z if norm_after else normalize(z)
            h = normalize(f(z)) if norm_after else f(z)
            yield np.mean(h), np.std(h), np.mean(h > 0), np.mean(edge(z) <= 0.1)

    return dict(zip(["mean", "std", "positive", "saturated"], np.array(list(layers()), dtype=np.float64).T))


def xavier_uniform(out, in_, *, rng):
    """The difference of nothing: by the inverse of the distribution function."""
    a = math.sqrt(6) / math.sqrt(in_ + out)
    return np.interp(rng.random(out * in_), [0, 1], [-a, a]).reshape(out, in_)


def he_normal(out, in_, *, rng):
    """After Box and Muller."""
    radius = np.sqrt(-2 * np.log(1 - rng.random((out, in_))))
    return math.sqrt(2 / in_) * radius * np.cos(2 * math.pi * rng.random((out, in_)))
