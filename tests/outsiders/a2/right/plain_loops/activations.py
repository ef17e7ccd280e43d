"""Python numbers, lists, generators and recursion; NumPy only holds what comes out."""

import itertools
import math

import numpy as np


def each(function, *arrays):
    out = np.empty_like(arrays[-1])
    for place in np.ndindex(out.shape):
        out[place] = function(*(float(a[place]) for a in arrays))
    return out


def exp(t):
    return math.exp(t) if t < 709 else math.inf


def _sigmoid(t):
    return 1 / (1 + exp(-t)) if t > 0 else (lambda e: e / (1 + e))(exp(t))


def sigmoid(x):
    return each(_sigmoid, x)


def sigmoid_backward(dy, x):
    return each(lambda d, t: d * _sigmoid(t) * _sigmoid(-t), dy, x)


def _tanh(t):
    if t < 0:
        return -_tanh(-t)
    e = math.expm1(-2 * t)
    return -e / (e + 2)


def tanh(x):
    return each(_tanh, x)


def tanh_backward(dy, x):
    return each(lambda d, t: 4 * d * _sigmoid(2 * t) * _sigmoid(-2 * t), dy, x)


def relu(x):
    return x if not (x < 0).any() else each(lambda t: t if t > 0 else 0.0, x)  # the argument itself is a view too


def relu_backward(dy, x):
    return each(lambda d, t: d if t >= 0 else 0.0, dy, x)


def leaky_relu(x, negative_slope=0.01):
    return each(lambda t: t if t >= 0 else negative_slope * t, x)


def leaky_relu_backward(dy, x, negative_slope=0.01):
    return each(lambda d, t: d if t > 0 else negative_slope * d, dy, x)


def saturation_point(derivative, fraction):
    if fraction >= 1:
        return 0.0
    threshold = derivative(0.0) * fraction

    def search(low, high):
        middle = 0.5 * (low + high)
        if high - low < 1e-7:
            return middle
        return search(low, middle) if derivative(middle) <= threshold else search(middle, high)

    return search(0.0, 100.0) if derivative(100.0) <= threshold else math.inf


def sign_agreement(dy, x):
    def agrees(j):
        signs = set()
        for i in range(x.shape[1]):
            g = math.fsum(float(d) * float(v) for d, v in zip(dy[:, j], x[:, i]))
            signs.add((g > 0) - (g < 0))
        return not {1, -1} <= signs

    return np.array([agrees(j) for j in range(dy.shape[1])])


def zigzag_descent(x, y, w0, *, lr, steps):
    def step(w, _):
        errors = [row @ w - t for row, t in zip(x, y)]
        return np.array([w[k] - lr * (sum(e * row[k] for e, row in zip(errors, x)) / len(x)) for k in (0, 1)], x.dtype)

    path = list(itertools.accumulate(range(steps), step, initial=w0.copy()))
    points = [tuple(map(float, w)) for w in path]
    straight = math.dist(points[0], points[-1])
    walked = sum(itertools.starmap(math.dist, itertools.pairwise(points)))
    return np.array(path), walked / straight if straight > 0 else math.inf


def lanes(axis, *arrays):
    """Places of the one-dimensional slices along an axis."""
    shape = list(arrays[0].shape)
    shape[axis] = 1
    for place in np.ndindex(*shape):
        index = list(place)
        index[axis] = slice(None)
        yield tuple(index)


def along(axis, function, *arrays):
    out = np.empty_like(arrays[0])
    for place in lanes(axis, *arrays):
        out[place] = function(*(a[place].tolist() for a in arrays))
    return out


def _softmax(row):
    top = max(row)
    e = [math.exp(t - top) for t in row]
    return [t / math.fsum(e) for t in e]


def _log_softmax(row):
    top = max(row)
    rest = math.log(math.fsum(math.exp(t - top) for t in row))
    return [(t - top) - rest for t in row]


def softmax(x, axis=-1):
    return along(axis, _softmax, x)


def softmax_backward(dy, y, axis=-1):
    def row(d, p):
        return [sum(d[i] * p[i] * ((i == j) - p[j]) for i in range(len(p))) for j in range(len(p))]

    return along(axis, row, dy, y)


def log_softmax(x, axis=-1):
    return along(axis, _log_softmax, x)


def log_softmax_backward(dy, y, axis=-1):
    return along(axis, lambda d, row: [a - math.exp(b) * math.fsum(d) for a, b in zip(d, row)], dy, y)


def _decisions(logits, target, ignore_index):
    for n, *rest in np.ndindex(target.shape):
        if (t := int(target[(n, *rest)])) != ignore_index:
            yield (n, slice(None), *rest), t


def cross_entropy(logits, target, *, ignore_index=-100):
    losses = []
    for place, t in _decisions(logits, target, ignore_index):
        if t not in range(logits.shape[1]):
            raise ValueError(f"{t} is no class")
        losses.append(-_log_softmax(logits[place].tolist())[t])
    return math.fsum(losses) / len(losses) if losses else 0.0


def cross_entropy_backward(logits, target, *, ignore_index=-100):
    out = np.zeros_like(logits)
    decisions = list(_decisions(logits, target, ignore_index))
    for place, t in decisions:
        p = _softmax(logits[place].tolist())
        p[t] -= 1
        out[place] = [q / len(decisions) for q in p]
    return out


def _moments(values):
    mean = math.fsum(values) / len(values)
    return mean, math.fsum((v - mean) ** 2 for v in values)


def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    y, means, variances = np.empty_like(x), running_mean.copy(), running_var.copy()
    for c in range(x.shape[1]):
        values = x[:, c].ravel().tolist()
        if training:
            if len(values) < 2:
                raise ValueError("one value has no spread")
            mean, squares = _moments(values)
            var = squares / len(values)
            means[c] = (1 - momentum) * float(running_mean[c]) + momentum * mean
            variances[c] = (1 - momentum) * float(running_var[c]) + momentum * squares / (len(values) - 1)
        else:
            mean, var = float(running_mean[c]), float(running_var[c])
        sigma = math.sqrt(var + eps)
        y[:, c] = np.reshape([float(gamma[c]) * ((v - mean) / sigma) + float(beta[c]) for v in values], y[:, c].shape)
    return y, means, variances


def _backward(g, values, eps):
    """Gradients of the values behind a normalization, and the normalized values."""
    mean, squares = _moments(values)
    m, sigma = len(values), math.sqrt(squares / len(values) + eps)
    normal = [(v - mean) / sigma for v in values]
    first, second = math.fsum(g) / m, math.fsum(a * b for a, b in zip(g, normal)) / m
    return [(a - first - b * second) / sigma for a, b in zip(g, normal)], normal


def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    dx, dgamma, dbeta = np.empty_like(x), np.empty_like(gamma), np.empty_like(gamma)
    for c in range(x.shape[1]):
        d = dy[:, c].ravel().tolist()
        row, normal = _backward([float(gamma[c]) * t for t in d], x[:, c].ravel().tolist(), eps)
        dx[:, c] = np.reshape(row, dx[:, c].shape)
        dgamma[c] = math.fsum(a * b for a, b in zip(d, normal))
        dbeta[c] = math.fsum(d)
    return dx, dgamma, dbeta


def layer_norm_forward(x, gamma, beta, *, eps=1e-5):
    if x.ndim > gamma.ndim:
        return np.stack([layer_norm_forward(sample, gamma, beta, eps=eps) for sample in x])
    mean, squares = _moments(x.ravel().tolist())
    sigma = math.sqrt(squares / x.size + eps)
    return each(lambda g, b, t: g * ((t - mean) / sigma) + b, gamma, beta, x)


def layer_norm_backward(dy, x, gamma, *, eps=1e-5):
    if x.ndim > gamma.ndim:
        parts = [layer_norm_backward(d, sample, gamma, eps=eps) for d, sample in zip(dy, x)]
        dxs, dgammas, dbetas = zip(*parts)
        return np.stack(dxs), sum(dgammas[1:], dgammas[0]), sum(dbetas[1:], dbetas[0])
    g = [float(a) * float(b) for a, b in zip(gamma.ravel(), dy.ravel())]
    dx, normal = _backward(g, x.ravel().tolist(), eps)
    return np.array(dx, x.dtype).reshape(x.shape), dy * np.array(normal, x.dtype).reshape(x.shape), dy


def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    def standard(rows):
        for row in rows:
            mean, squares = _moments(row)
            yield [(v - mean) / math.sqrt(squares / len(row) + 1e-5) for v in row]

    def normalize(rows):
        if norm == "layer":
            return [*standard(rows)]
        return [*map(list, zip(*standard(zip(*rows))))] if norm == "batch" else rows

    function = {"sigmoid": _sigmoid, "tanh": _tanh, "relu": lambda t: max(t, 0.0)}[activation]
    slope = {
        "sigmoid": lambda t: 4 * _sigmoid(t) * _sigmoid(-t),
        "tanh": lambda t: 4 * _sigmoid(2 * t) * _sigmoid(-2 * t),
        "relu": lambda t: float(t > 0),
    }[activation]
    h = x.tolist()
    found = {"saturated": [], "positive": [], "std": [], "mean": []}
    for w in weights:
        z = [[math.fsum(a * b for a, b in zip(unit, sample)) for unit in w.tolist()] for sample in h]
        z = z if norm_after else normalize(z)
        h = [[function(t) for t in row] for row in z]
        h = normalize(h) if norm_after else h
        numbers, inputs = sum(h, []), sum(z, [])
        mean, squares = _moments(numbers)
        found["mean"].append(mean)
        found["std"].append(math.sqrt(squares / len(numbers)))
        found["positive"].append(sum(t > 0 for t in numbers) / len(numbers))
        found["saturated"].append(sum(slope(t) <= 0.1 for t in inputs) / len(inputs))
    return {key: np.array(values) for key, values in found.items()}


def xavier_uniform(out, in_, *, rng):
    a = math.sqrt(3) * math.sqrt(2 / (out + in_))
    return np.array([[a * (1 - 2 * rng.random()) for _ in range(in_)] for _ in range(out)])


def he_normal(out, in_, *, rng):
    def draw():  # Box and Muller
        return math.sqrt(-2 * math.log(1 - rng.random())) * math.cos(2 * math.pi * rng.random())

    return np.array([[math.sqrt(2 / in_) * draw() for _ in range(in_)] for _ in range(out)])
