"""Loops: every number by itself, in Python's floats (which are float64); the arrays get their dtype at the end."""
from __future__ import annotations

import math

import numpy as np


def _each(function, x, *more):
    out = np.empty(np.shape(x), x.dtype)
    for index in np.ndindex(*np.shape(x)):
        out[index] = function(float(x[index]), *(float(m[index]) for m in more))
    return out


def _sigmoid(x):
    if x >= 0:
        return 1 / (1 + math.exp(-x))
    e = math.exp(x)
    return e / (1 + e)


def _tanh(x):
    return 2 * _sigmoid(2 * x) - 1


def _slope(x):
    return _sigmoid(x) * _sigmoid(-x)


def sigmoid(x):
    return _each(_sigmoid, x)


def sigmoid_backward(dy, x):
    return _each(lambda g, v: g * _slope(v), dy, x)


def tanh(x):
    return _each(_tanh, x)


def tanh_backward(dy, x):
    return _each(lambda g, v: 4 * g * _slope(2 * v), dy, x)


def relu(x):
    return _each(lambda v: 0.0 if v < 0 else v, x)


def relu_backward(dy, x):
    return _each(lambda g, v: g if v > 0 else 0.0, dy, x)


def leaky_relu(x, negative_slope=0.01):
    return _each(lambda v: negative_slope * v if v < 0 else v, x)


def leaky_relu_backward(dy, x, negative_slope=0.01):
    return _each(lambda g, v: g if v > 0 else negative_slope * g, dy, x)


def saturation_point(derivative, fraction):
    threshold = fraction * derivative(0.0)
    if fraction >= 1:
        return 0.0
    if derivative(100.0) > threshold:
        return math.inf
    low, high = 0.0, 100.0
    for _ in range(60):
        middle = (low + high) / 2
        if derivative(middle) <= threshold:
            high = middle
        else:
            low = middle
    return high


def sign_agreement(dy, x):
    answers = []
    for j in range(dy.shape[1]):
        up = down = False
        for i in range(x.shape[1]):
            gradient = sum(float(dy[n, j]) * float(x[n, i]) for n in range(len(x)))
            up, down = up or gradient > 0, down or gradient < 0
        answers.append(not (up and down))
    return np.array(answers, dtype=bool)


def zigzag_descent(x, y, w0, *, lr, steps):
    w = [float(w0[0]), float(w0[1])]
    path, length, count = [list(w)], 0.0, len(x)
    for _ in range(steps):
        gradient = [0.0, 0.0]
        for n in range(count):
            error = float(x[n, 0]) * w[0] + float(x[n, 1]) * w[1] - float(y[n])
            gradient[0] += error * float(x[n, 0])
            gradient[1] += error * float(x[n, 1])
        w = [w[0] - lr * gradient[0] / count, w[1] - lr * gradient[1] / count]
        length += math.hypot(w[0] - path[-1][0], w[1] - path[-1][1])
        path.append(list(w))
    straight = math.hypot(path[-1][0] - path[0][0], path[-1][1] - path[0][1])
    return np.array(path, dtype=x.dtype), length / straight if straight > 0 else math.inf


def _along(axis, function, *arrays):
    """Apply a function of lists to every line along the axis."""
    axis = axis % arrays[0].ndim
    out = np.empty(arrays[0].shape, arrays[0].dtype)
    rest = arrays[0].shape[:axis] + arrays[0].shape[axis + 1 :]
    for index in np.ndindex(*rest):
        line = index[:axis] + (slice(None),) + index[axis:]
        out[line] = function(*([float(v) for v in a[line]] for a in arrays))
    return out


def _log_softmax(line):
    top = max(line)
    total = math.log(math.fsum(math.exp(v - top) for v in line))
    return [v - top - total for v in line]


def softmax(x, axis=-1):
    def line(values):
        top = max(values)
        e = [math.exp(v - top) for v in values]
        total = math.fsum(e)
        return [v / total for v in e]

    return _along(axis, line, x)


def softmax_backward(dy, y, axis=-1):
    def line(g, p):
        average = math.fsum(a * b for a, b in zip(g, p))
        return [b * (a - average) for a, b in zip(g, p)]

    return _along(axis, line, dy, y)


def log_softmax(x, axis=-1):
    return _along(axis, _log_softmax, x)


def log_softmax_backward(dy, y, axis=-1):
    def line(g, l):
        total = math.fsum(g)
        return [a - math.exp(b) * total for a, b in zip(g, l)]

    return _along(axis, line, dy, y)


def cross_entropy(logits, target, *, ignore_index=-100):
    total, count, logs = 0.0, 0, log_softmax(logits, axis=1)
    for index in np.ndindex(*target.shape):
        right = int(target[index])
        if right == ignore_index:
            continue
        if not 0 <= right < logits.shape[1]:
            raise ValueError(f"{right} is no class")
        total -= float(logs[(index[0], right, *index[1:])])
        count += 1
    return total / count if count else 0.0


def cross_entropy_backward(logits, target, *, ignore_index=-100):
    kept = sum(int(target[index]) != ignore_index for index in np.ndindex(*target.shape))
    d = np.zeros(logits.shape, logits.dtype)
    p = softmax(logits, axis=1)
    for index in np.ndindex(*target.shape):
        right = int(target[index])
        if right != ignore_index:
            for c in range(logits.shape[1]):
                place = (index[0], c, *index[1:])
                d[place] = (float(p[place]) - (c == right)) / kept
    return d


def _moments(values):
    """Deviations, their sum of squares, and the mean."""
    shifted = [v - values[0] for v in values]
    mean = math.fsum(shifted) / len(values)
    rest = [v - mean for v in shifted]
    return rest, math.fsum(r * r for r in rest), values[0] + mean


def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    y, mean, var = np.empty(x.shape, x.dtype), running_mean.copy(), running_var.copy()
    for c in range(x.shape[1]):
        values = [float(v) for v in x[:, c].ravel()]
        m = len(values)
        if training:
            if m == 1:
                raise ValueError("one value has no spread")
            rest, squares, mu = _moments(values)
            mean[c] = (1 - momentum) * float(mean[c]) + momentum * mu
            var[c] = (1 - momentum) * float(var[c]) + momentum * squares / (m - 1)
            v = squares / m
        else:
            rest, v = [value - float(mean[c]) for value in values], float(var[c])
        scale = float(gamma[c]) / math.sqrt(v + eps)
        y[:, c] = np.array([r * scale + float(beta[c]) for r in rest]).reshape(x[:, c].shape)
    return y, mean, var


def _normalized_backward(g, values, eps):
    rest, squares, _ = _moments(values)
    m = len(values)
    sigma = math.sqrt(squares / m + eps)
    hat = [r / sigma for r in rest]
    a, b = math.fsum(g) / m, math.fsum(p * q for p, q in zip(g, hat)) / m
    return [(p - a - q * b) / sigma for p, q in zip(g, hat)], hat


def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    dx, dgamma, dbeta = np.empty(x.shape, x.dtype), np.empty_like(gamma), np.empty_like(gamma)
    for c in range(x.shape[1]):
        d = [float(v) for v in dy[:, c].ravel()]
        back, hat = _normalized_backward([float(gamma[c]) * v for v in d], [float(v) for v in x[:, c].ravel()], eps)
        dx[:, c] = np.array(back).reshape(x[:, c].shape)
        dgamma[c], dbeta[c] = math.fsum(p * q for p, q in zip(d, hat)), math.fsum(d)
    return dx, dgamma, dbeta


def layer_norm_forward(x, gamma, beta, *, eps=1e-5):
    y = np.empty(x.shape, x.dtype)
    g, b = gamma.astype(np.float64), beta.astype(np.float64)
    for index in np.ndindex(*x.shape[: x.ndim - gamma.ndim]):
        rest, squares, _ = _moments([float(v) for v in x[index].ravel()])
        sigma = math.sqrt(squares / len(rest) + eps)
        y[index] = np.array(rest).reshape(gamma.shape) / sigma * g + b
    return y


def layer_norm_backward(dy, x, gamma, *, eps=1e-5):
    dx, dgamma, dbeta = np.empty(x.shape, x.dtype), np.zeros(gamma.shape), np.zeros(gamma.shape)
    weights = [float(v) for v in gamma.ravel()]
    for index in np.ndindex(*x.shape[: x.ndim - gamma.ndim]):
        d = [float(v) for v in dy[index].ravel()]
        back, hat = _normalized_backward([p * q for p, q in zip(weights, d)], [float(v) for v in x[index].ravel()], eps)
        dx[index] = np.array(back).reshape(gamma.shape)
        dgamma += np.array([p * q for p, q in zip(d, hat)]).reshape(gamma.shape)
        dbeta += np.array(d).reshape(gamma.shape)
    return dx, dgamma.astype(x.dtype), dbeta.astype(x.dtype)


def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    h, rows = x.astype(np.float64), []
    act = {"sigmoid": sigmoid, "tanh": tanh, "relu": relu}[activation]

    def normalize(z):
        if norm is None:
            return z
        z = z if norm == "layer" else z.T
        ones = np.ones(z.shape[1])
        z = layer_norm_forward(z, ones, 0 * ones)
        return z if norm == "layer" else z.T

    for w in weights:
        z = h @ w.astype(np.float64).T
        if not norm_after:
            z = normalize(z)
        h = act(z)
        if norm_after:
            h = normalize(h)
        flat = 0
        for v in z.ravel():
            v = float(v)
            if activation == "sigmoid":
                flat += _slope(v) <= 0.1 / 4
            elif activation == "tanh":
                flat += 4 * _slope(2 * v) <= 0.1
            else:
                flat += v <= 0
        values = [float(v) for v in h.ravel()]
        _, squares, mean = _moments(values)
        m = len(values)
        rows.append((mean, math.sqrt(squares / m), sum(v > 0 for v in values) / m, flat / m))
    return {name: np.array(column) for name, column in zip(("mean", "std", "positive", "saturated"), zip(*rows))}


def xavier_uniform(out, in_, *, rng):
    a = math.sqrt(6 / (in_ + out))
    w = np.empty((out, in_))
    for index in np.ndindex(out, in_):
        w[index] = rng.uniform(-a, a)
    return w


def he_normal(out, in_, *, rng):
    w = np.empty((out, in_))
    for index in np.ndindex(out, in_):
        w[index] = rng.normal(0.0, math.sqrt(2 / in_))
    return w
