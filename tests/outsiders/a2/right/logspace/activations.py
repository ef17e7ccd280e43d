"""Unusual numerics: logarithms of probabilities, expm1, and variances from pairwise or running updates (Welford)."""
from __future__ import annotations

import math

import numpy as np


def _log_sigmoid(x):
    return -np.logaddexp(np.zeros_like(x), -x)


def sigmoid(x):
    return np.exp(_log_sigmoid(x))


def sigmoid_backward(dy, x):
    return dy * np.exp(_log_sigmoid(x) + _log_sigmoid(-x))


def tanh(x):
    e = np.expm1(-2 * np.abs(x))
    return np.sign(x) * (-e / (2 + e))


def tanh_backward(dy, x):
    return dy * (4 * np.exp(_log_sigmoid(2 * x) + _log_sigmoid(-2 * x)))


def relu(x):
    return leaky_relu(x, 0.0)


def relu_backward(dy, x):
    return leaky_relu_backward(dy, x, 0.0)


def leaky_relu(x, negative_slope=0.01):
    return np.where(x < 0, negative_slope * x, x)


def leaky_relu_backward(dy, x, negative_slope=0.01):
    return dy * np.where(x < 0, np.full_like(x, negative_slope), np.ones_like(x))


def saturation_point(derivative, fraction):
    """Bisection on the difference of the logarithms, in 48 halvings."""
    if fraction >= 1:
        return 0.0
    bound = fraction * derivative(0.0)
    left, right = 0.0, 100.0
    if derivative(right) > bound:
        return math.inf
    while right - left > 1e-9:
        middle = left + (right - left) / 2
        left, right = (left, middle) if derivative(middle) <= bound else (middle, right)
    return left + (right - left) / 2


def sign_agreement(dy, x):
    gradient = np.matmul(np.swapaxes(dy, 0, 1), x)
    above, below = np.any(gradient > 0, axis=1), np.any(gradient < 0, axis=1)
    return np.logical_not(np.logical_and(above, below))


def zigzag_descent(x, y, w0, *, lr, steps):
    """The gradient is H w - r with H = x'x / N and r = x'y / N."""
    wide = x.astype(np.float64)
    hessian, right = wide.T @ wide / len(x), wide.T @ y.astype(np.float64) / len(x)
    path = np.empty((steps + 1, 2))
    path[0] = w0
    for t in range(steps):
        path[t + 1] = path[t] - lr * (hessian @ path[t] - right)
    length = math.fsum(math.dist(a, b) for a, b in zip(path, path[1:]))
    straight = math.dist(path[0], path[-1])
    return path.astype(x.dtype), (length / straight if straight else math.inf)


def softmax(x, axis=-1):
    return np.exp(log_softmax(x, axis))


def softmax_backward(dy, y, axis=-1):
    front_dy, front_y = np.moveaxis(dy, axis, 0), np.moveaxis(y, axis, 0)
    average = sum(g * p for g, p in zip(front_dy, front_y))
    return np.moveaxis(front_y * (front_dy - average), 0, axis)


def log_softmax(x, axis=-1):
    return _stable(x, axis)


def _stable(x, axis):
    lowered = x - np.amax(x, axis=axis, keepdims=True)
    return lowered - np.logaddexp.reduce(lowered, axis=axis, keepdims=True)


def log_softmax_backward(dy, y, axis=-1):
    return dy - np.exp(y) * np.add.reduce(dy, axis=axis, keepdims=True)


def _kept(logits, target, ignore_index):
    """Rows of scores, and their right classes, of the targets that are kept."""
    kept = target != ignore_index
    return np.moveaxis(logits, 1, -1)[kept], target[kept], kept


def cross_entropy(logits, target, *, ignore_index=-100):
    rows, classes, _ = _kept(logits, target, ignore_index)
    if np.any((classes < 0) | (classes >= logits.shape[1])):
        raise ValueError("no class")
    if classes.size == 0:
        return 0.0
    logs = log_softmax(rows.astype(np.float64))
    return -math.fsum(logs[np.arange(len(rows)), classes]) / len(rows)


def cross_entropy_backward(logits, target, *, ignore_index=-100):
    rows, classes, kept = _kept(logits, target, ignore_index)
    result = np.zeros_like(np.moveaxis(logits, 1, -1))
    if len(rows):
        p = softmax(rows)
        p[np.arange(len(rows)), classes] -= 1
        result[kept] = p / len(rows)
    return np.moveaxis(result, -1, 1)


def _welford(rows):
    """Mean and sum of squared deviations along the first axis, one row after the other, then corrected once."""
    mean, squares = np.zeros(rows.shape[1:]), np.zeros(rows.shape[1:])
    base = rows[0].astype(np.float64)
    for count, row in enumerate(rows, 1):
        delta = row - base - mean
        mean = mean + delta / count
        squares = squares + delta * (row - base - mean)
    return base, mean, squares


def _matrix(x):
    """(N, C, ...) as rows of C numbers."""
    return np.moveaxis(x, 1, -1).reshape(-1, x.shape[1]).astype(np.float64)


def _images(rows, x):
    return np.moveaxis(rows.reshape(x.shape[0], *x.shape[2:], x.shape[1]), -1, 1).astype(x.dtype)


def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    rows = _matrix(x)
    if training:
        if len(rows) == 1:
            raise ValueError("one value has no spread")
        base, mean, squares = _welford(rows)
        rest, var = rows - base - mean, squares / len(rows)
        new_mean = (1 - momentum) * running_mean + momentum * (base + mean)
        new_var = (1 - momentum) * running_var + momentum * squares / (len(rows) - 1)
    else:
        rest, var = rows - running_mean, running_var.astype(np.float64)
        new_mean, new_var = np.copy(running_mean), np.copy(running_var)
    y = gamma * rest * np.exp(-0.5 * np.log(var + eps)) + beta if eps > 0 else gamma * rest / np.sqrt(var + eps) + beta
    return _images(y, x), new_mean.astype(x.dtype), new_var.astype(x.dtype)


def _normal_backward(g, rows, eps):
    base, mean, squares = _welford(rows)
    sigma = np.sqrt(squares / len(rows) + eps)
    hat = (rows - base - mean) / sigma
    return (g - g.mean(axis=0) - hat * (g * hat).mean(axis=0)) / sigma, hat


def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    d = _matrix(dy)
    back, hat = _normal_backward(d * gamma, _matrix(x), eps)
    return _images(back, x), (d * hat).sum(axis=0).astype(x.dtype), d.sum(axis=0).astype(x.dtype)


def layer_norm_forward(x, gamma, beta, *, eps=1e-5):
    rows = x.reshape(-1, gamma.size).T.astype(np.float64)
    base, mean, squares = _welford(rows)
    hat = ((rows - base - mean) / np.sqrt(squares / gamma.size + eps)).T
    return (hat * gamma.ravel() + beta.ravel()).reshape(x.shape).astype(x.dtype)


def layer_norm_backward(dy, x, gamma, *, eps=1e-5):
    d = dy.reshape(-1, gamma.size).T.astype(np.float64)
    back, hat = _normal_backward(d * gamma.reshape(-1, 1), x.reshape(-1, gamma.size).T.astype(np.float64), eps)
    shaped = [a.sum(axis=1).reshape(gamma.shape).astype(x.dtype) for a in (d * hat, d)]
    return back.T.reshape(x.shape).astype(x.dtype), *shaped


def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    h, found = x.astype(np.float64), {"mean": [], "std": [], "positive": [], "saturated": []}
    forward = globals()[activation]

    def normalize(z):
        if norm is None:
            return z
        z = z.T if norm == "layer" else z
        base, mean, squares = _welford(z)
        z = (z - base - mean) / np.sqrt(squares / len(z) + 1e-5)
        return z.T if norm == "layer" else z

    for w in weights:
        received = h @ w.astype(np.float64).T
        received = received if norm_after else normalize(received)
        h = forward(received)
        h = normalize(h) if norm_after else h
        one = np.ones_like(received)
        if activation == "relu":
            flat = received <= 0
        else:
            flat = {"sigmoid": sigmoid_backward, "tanh": tanh_backward}[activation](one, received)
            flat = flat <= {"sigmoid": 0.25, "tanh": 1.0}[activation] * 0.1
        found["mean"].append(math.fsum(h.ravel()) / h.size)
        found["std"].append(math.sqrt(math.fsum(((h - found["mean"][-1]) ** 2).ravel()) / h.size))
        found["positive"].append(np.count_nonzero(h > 0) / h.size)
        found["saturated"].append(np.count_nonzero(flat) / flat.size)
    return {name: np.array(values) for name, values in found.items()}


def xavier_uniform(out, in_, *, rng):
    return rng.uniform(-1, 1, (out, in_)) * math.sqrt(6 / (in_ + out))


def he_normal(out, in_, *, rng):
    """Box and Muller: a radius and an angle make a normal number."""
    radius = np.sqrt(-2 * np.log1p(-rng.random((out, in_))))
    return math.sqrt(2 / in_) * radius * np.cos(2 * math.pi * rng.random((out, in_)))
