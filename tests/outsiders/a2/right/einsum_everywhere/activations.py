"""As few statements as possible."""
from __future__ import annotations

import math

import numpy as np


def sigmoid(x):
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-x))


def sigmoid_backward(dy, x):
    return dy * sigmoid(x) * sigmoid(-x)


def tanh(x):
    return sigmoid(2 * x) - sigmoid(-2 * x)


def tanh_backward(dy, x):
    return 4 * sigmoid_backward(dy, 2 * x)


def relu(x):
    return np.maximum(x, 0)


def relu_backward(dy, x):
    return np.where(x > 0, dy, 0)


def leaky_relu(x, negative_slope=0.01):
    return np.maximum(x, 0) + negative_slope * np.minimum(x, 0)


def leaky_relu_backward(dy, x, negative_slope=0.01):
    return np.where(x < 0, negative_slope * dy, dy)


def saturation_point(derivative, fraction):
    if fraction >= 1 or derivative(100.0) > fraction * derivative(0.0):
        return 0.0 if fraction >= 1 else math.inf
    x = 0.0
    for step in 100.0 * 0.5 ** np.arange(1, 41):
        x += float(step) if derivative(x + float(step)) > fraction * derivative(0.0) else 0.0
    return x


def sign_agreement(dy, x):
    signs = np.sign(np.einsum("nj,ni->ji", dy, x))
    return ~((signs > 0).any(1) & (signs < 0).any(1))


def zigzag_descent(x, y, w0, *, lr, steps):
    path = [w0]
    for _ in range(steps):
        path.append(path[-1] - lr * (np.einsum("ni,n->i", x, x @ path[-1] - y) / len(x)))
    path = np.stack(path)
    lengths, straight = np.linalg.norm(np.diff(path, axis=0), axis=1), np.linalg.norm(path[-1] - path[0])
    return path, float(lengths.sum() / straight) if straight else math.inf


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def softmax_backward(dy, y, axis=-1):
    return y * (dy - (dy * y).sum(axis, keepdims=True))


def log_softmax(x, axis=-1):
    z = x - x.max(axis, keepdims=True)
    return z - np.log(np.exp(z).sum(axis, keepdims=True))


def log_softmax_backward(dy, y, axis=-1):
    return dy - np.exp(y) * dy.sum(axis, keepdims=True)


def _one_hot(logits, target, ignore_index):
    classes = np.arange(logits.shape[1]).reshape(-1, *[1] * (logits.ndim - 2))
    return (target[:, None] == classes) & (target != ignore_index)[:, None]


def cross_entropy(logits, target, *, ignore_index=-100):
    hot, kept = _one_hot(logits, target, ignore_index), np.count_nonzero(target != ignore_index)
    if np.count_nonzero(hot) < kept:
        raise ValueError("a target is no class")
    return float(-log_softmax(logits, 1)[hot].sum() / kept) if kept else 0.0


def cross_entropy_backward(logits, target, *, ignore_index=-100):
    kept = (target != ignore_index)[:, None]
    hot = _one_hot(logits, target, ignore_index)
    return ((softmax(logits, 1) - hot.astype(logits.dtype)) * kept / max(int(kept.sum()), 1)).astype(logits.dtype)


def _wide(a, x):
    return a.reshape(-1, *[1] * (x.ndim - 2))


def _centre(x, axes):
    x = x - x.mean(axes, keepdims=True)
    return x - x.mean(axes, keepdims=True)


def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    axes, m = (0, *range(2, x.ndim)), x.size // x.shape[1]
    if not training:
        scale = _wide(gamma / np.sqrt(running_var + eps), x)
        return (x - _wide(running_mean, x)) * scale + _wide(beta, x), running_mean.copy(), running_var.copy()
    if m == 1:
        raise ValueError("one value has no spread")
    rest = _centre(x, axes)
    squares = np.square(rest).sum(axes)
    mean, unbiased = x.mean(axes), squares / (m - 1)
    y = rest * _wide(gamma / np.sqrt(squares / m + eps), x) + _wide(beta, x)
    return y, (1 - momentum) * running_mean + momentum * mean, (1 - momentum) * running_var + momentum * unbiased


def _through(g, x, axes, eps):
    rest = _centre(x, axes)
    sigma = np.sqrt(np.square(rest).mean(axes, keepdims=True) + eps)
    hat = rest / sigma
    return (g - g.mean(axes, keepdims=True) - hat * (g * hat).mean(axes, keepdims=True)) / sigma, hat


def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    axes, wide = (0, *range(2, x.ndim)), dy.astype(np.float64)
    dx, hat = _through(wide * _wide(gamma, x), x.astype(np.float64), axes, eps)
    return tuple(a.astype(x.dtype) for a in (dx, (wide * hat).sum(axes), wide.sum(axes)))


def layer_norm_forward(x, gamma, beta, *, eps=1e-5):
    rest = _centre(x, axes := tuple(range(-gamma.ndim, 0)))
    return gamma * (rest / np.sqrt(np.square(rest).mean(axes, keepdims=True) + eps)) + beta


def layer_norm_backward(dy, x, gamma, *, eps=1e-5):
    dx, hat = _through(dy * gamma.astype(np.float64), x.astype(np.float64), tuple(range(-gamma.ndim, 0)), eps)
    sums = (a.reshape(-1, *gamma.shape).sum(0) for a in (dy * hat, dy))
    return tuple(a.astype(x.dtype) for a in (dx, *sums))


def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    h, rows, axis = x.astype(np.float64), [], {"batch": 0, "layer": 1, None: None}[norm]
    act, slope = {
        "sigmoid": (sigmoid, lambda z: 4 * sigmoid(z) * sigmoid(-z)),
        "tanh": (tanh, lambda z: 4 * sigmoid(2 * z) * sigmoid(-2 * z)),
        "relu": (relu, lambda z: z > 0),
    }[activation]

    def normalize(z):
        return z if norm is None else (r := _centre(z, axis)) / np.sqrt(np.square(r).mean(axis, keepdims=True) + 1e-5)

    for w in weights:
        z = h @ w.T if norm_after else normalize(h @ w.T)
        h = normalize(act(z)) if norm_after else act(z)
        rows.append((h.mean(), h.std(), (h > 0).mean(), (slope(z) <= 0.1).mean()))
    return dict(zip(("mean", "std", "positive", "saturated"), np.array(rows, np.float64).T))


def xavier_uniform(out, in_, *, rng):
    return (2 * rng.random((out, in_)) - 1) * math.sqrt(6 / (in_ + out))


def he_normal(out, in_, *, rng):
    return rng.standard_normal((out, in_)) * math.sqrt(2 / in_)
