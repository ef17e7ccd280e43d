import math

import numpy as np


def sigmoid(x):
    return np.exp(-np.logaddexp(0, -x))


def sigmoid_backward(dy, x):
    return dy * (s := sigmoid(x)) * (1 - s)


def tanh(x):
    return 2 * sigmoid(2 * x) - 1


def tanh_backward(dy, x):
    return dy * (1 - np.tanh(x) ** 2)


def relu(x):
    return np.maximum(x, 0)


def relu_backward(dy, x):
    return dy * (x > 0)


def leaky_relu(x, negative_slope=0.01):
    return np.maximum(x, negative_slope * x)


def leaky_relu_backward(dy, x, negative_slope=0.01):
    return np.where(x < 0, negative_slope, 1).astype(x.dtype) * dy


def saturation_point(derivative, fraction):
    level, x = fraction * derivative(0.0), 0.0
    if fraction >= 1 or derivative(100.0) > level:
        return 0.0 if fraction >= 1 else math.inf
    for k in range(40):
        x += 128 / 2**k * (derivative(x + 128 / 2**k) > level)
    return x


def sign_agreement(dy, x):
    s = np.sign(dy.T @ x)
    return s.max(1) - s.min(1) < 2


def zigzag_descent(x, y, w0, *, lr, steps):
    path = [w0.copy()]
    while len(path) <= steps:
        path.append(path[-1] - lr * (x.T @ (x @ path[-1] - y) / len(x)))
    way, crow = np.linalg.norm(np.diff(path, axis=0), axis=1).sum(), np.linalg.norm(path[-1] - path[0])
    return np.stack(path), float(way / crow) if crow else np.inf


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def softmax_backward(dy, y, axis=-1):
    return y * (dy - (dy * y).sum(axis, keepdims=True))


def log_softmax(x, axis=-1):
    return x - np.logaddexp.reduce(x, axis, keepdims=True)


def log_softmax_backward(dy, y, axis=-1):
    return dy - np.exp(y) * dy.sum(axis, keepdims=True)


def cross_entropy(logits, target, *, ignore_index=-100):
    keep = target != ignore_index
    t = target[keep]
    if ((t < 0) | (t >= logits.shape[1])).any():
        raise ValueError("no such class")
    logs = log_softmax(np.moveaxis(logits, 1, -1)[keep])
    return float(-logs[np.arange(len(t)), t].mean()) if len(t) else 0.0


def cross_entropy_backward(logits, target, *, ignore_index=-100):
    keep = target != ignore_index
    hot = np.expand_dims(target, 1) == np.arange(logits.shape[1]).reshape(-1, *[1] * (target.ndim - 1))
    return (softmax(logits, 1) - hot) * np.expand_dims(keep, 1) / max(int(keep.sum()), 1)


def _bn(a):
    return (0, *range(2, a.ndim)), lambda v: v.reshape(-1, *[1] * (a.ndim - 2))


def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    axes, up = _bn(x)
    mean, var = running_mean.copy(), running_var.copy()
    if training:
        if (m := x.size // x.shape[1]) == 1:
            raise ValueError("one value per channel")
        mean, var = x.mean(axes), x.var(axes)
        running_mean = (1 - momentum) * running_mean + momentum * mean
        running_var = (1 - momentum) * running_var + momentum * (var * m / (m - 1))
    y = (x - up(mean)) / np.sqrt(up(var) + eps) * up(gamma) + up(beta)
    return y, running_mean.copy(), running_var.copy()


def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    axes, up = _bn(x)
    s = np.sqrt(x.var(axes, keepdims=True) + eps)
    h = (x - x.mean(axes, keepdims=True)) / s
    dx = up(gamma) / s * (dy - dy.mean(axes, keepdims=True) - h * (dy * h).mean(axes, keepdims=True))
    return dx, (dy * h).sum(axes), dy.sum(axes)


def layer_norm_forward(x, gamma, beta, *, eps=1e-5):
    ax = tuple(range(-gamma.ndim, 0))
    return (x - x.mean(ax, keepdims=True)) / np.sqrt(x.var(ax, keepdims=True) + eps) * gamma + beta


def layer_norm_backward(dy, x, gamma, *, eps=1e-5):
    ax, rest = tuple(range(-gamma.ndim, 0)), tuple(range(x.ndim - gamma.ndim))
    s = np.sqrt(x.var(ax, keepdims=True) + eps)
    h, g = (x - x.mean(ax, keepdims=True)) / s, gamma * dy
    dx = (g - g.mean(ax, keepdims=True) - h * (g * h).mean(ax, keepdims=True)) / s
    return dx, (dy * h).sum(rest), dy.sum(rest)


def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    f, level = {"sigmoid": (sigmoid, 0.025), "tanh": (np.tanh, 0.1), "relu": (relu, 0.1)}[activation]
    slope = {"sigmoid": sigmoid_backward, "tanh": tanh_backward, "relu": relu_backward}[activation]
    ax = {"batch": 0, "layer": 1}.get(norm)
    standard = lambda a: a if norm is None else (a - a.mean(ax, keepdims=True)) / np.sqrt(a.var(ax, keepdims=True) + 1e-5)
    before, after = (lambda a: a, standard) if norm_after else (standard, lambda a: a)
    rows = []
    for w in weights:
        z = before(x @ w.T)
        x = after(f(z))
        rows.append((x.mean(), x.std(), (x > 0).mean(), (slope(np.ones_like(z), z) <= level).mean()))
    return dict(zip(("mean", "std", "positive", "saturated"), np.array(rows).T))


def xavier_uniform(out, in_, *, rng):
    return (2 * rng.random((out, in_)) - 1) * math.sqrt(6 / (in_ + out))


def he_normal(out, in_, *, rng):
    return rng.standard_normal((out, in_)) * math.sqrt(2 / in_)
