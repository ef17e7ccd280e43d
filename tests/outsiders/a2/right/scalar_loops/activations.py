"""One Python number after the other: index arithmetic on flat lists, math.fsum for sums."""
from __future__ import annotations
import itertools
import math
import numpy as np


def _each(f, like, *arrays):
    """f of the numbers of some arrays of one shape, as a new array of that shape and dtype."""
    flat = [f(*numbers) for numbers in zip(*(a.ravel().tolist() for a in arrays), strict=True)]
    return np.array(flat, dtype=like.dtype).reshape(like.shape)


def _sigma(v):
    return 1 / (1 + math.exp(-v)) if v >= 0 else math.exp(v) / (1 + math.exp(v))


def _slope(v):
    e = math.exp(-abs(v))
    return e / (1 + e) ** 2


def sigmoid(x):
    return _each(_sigma, x, x)


def sigmoid_backward(dy, x):
    return _each(lambda g, v: g * _slope(v), x, dy, x)


def tanh(x):
    def one(v):
        part = math.expm1(-2 * abs(v))
        return math.copysign(-part / (2 + part), v)

    return _each(one, x, x)


def tanh_backward(dy, x):
    return _each(lambda g, v: 4 * g * _slope(2 * v), x, dy, x)


def relu(x):
    return _each(lambda v: v if v > 0 else 0.0, x, x)


def relu_backward(dy, x):
    return _each(lambda g, v: g if v >= 0 else 0.0, x, dy, x)


def leaky_relu(x, negative_slope=0.01):
    return _each(lambda v: max(v, negative_slope * v), x, x)


def leaky_relu_backward(dy, x, negative_slope=0.01):
    return _each(lambda g, v: g * (1.0, negative_slope)[v < 0], x, dy, x)


def saturation_point(derivative, fraction):
    if fraction >= 1:
        return 0.0
    threshold = fraction * derivative(0.0)
    steps = 2**28  # a whole number of steps of 100 / 2 ** 28, found bit by bit
    if derivative(100.0) > threshold:
        return math.inf
    below = 0
    for bit in reversed(range(28)):
        trial = below | 1 << bit
        if derivative(100.0 * trial / steps) > threshold:
            below = trial
    return 100.0 * (below + 0.5) / steps


def sign_agreement(dy, x):
    rows, gradients = x.tolist(), dy.tolist()
    answer = []
    for j in range(dy.shape[1]):
        seen = set()
        for i in range(x.shape[1]):
            g = math.fsum(gradients[n][j] * rows[n][i] for n in range(len(rows)))
            seen.add((g > 0) - (g < 0))
        answer.append(not {-1, 1} <= seen)
    return np.array(answer, dtype=bool)


def zigzag_descent(x, y, w0, *, lr, steps):
    w = w0.copy()
    path = w0.reshape(1, 2).repeat(steps + 1, axis=0)
    for k in range(1, steps + 1):
        error = x[:, 0] * w[0] + x[:, 1] * w[1] - y
        a, b = (x[:, 0] * error).mean(), (x[:, 1] * error).mean()
        w[0], w[1] = w[0] - lr * a, w[1] - lr * b
        path[k] = w
    points = [tuple(map(float, p)) for p in path]
    direct = math.dist(points[0], points[-1])
    return path, math.fsum(itertools.starmap(math.dist, itertools.pairwise(points))) / direct if direct else math.inf


def _along(f, axis, like, *arrays):
    """f of lists along an axis, for each place along the others."""
    size = like.shape[axis]
    rows = [np.moveaxis(a, axis, -1).reshape(-1, size).tolist() for a in arrays]
    result = np.empty((len(rows[0]), size), dtype=like.dtype)
    for k, lists in enumerate(zip(*rows, strict=True)):
        result[k] = f(*lists)
    shape = [side for k, side in enumerate(like.shape) if k != axis % like.ndim]
    return np.moveaxis(result.reshape(*shape, size), -1, axis)


def _log_softmax(row):
    top = max(row)
    log_sum = math.log(math.fsum(math.exp(v - top) for v in row))
    return [v - top - log_sum for v in row]


def softmax(x, axis=-1):
    return _along(lambda row: [math.exp(v) for v in _log_softmax(row)], axis, x, x)


def softmax_backward(dy, y, axis=-1):
    def one(g, p):
        average = math.fsum(map(float.__mul__, g, p))
        return [b * (a - average) for a, b in zip(g, p)]

    return _along(one, axis, dy, dy, y)


def log_softmax(x, axis=-1):
    return _along(_log_softmax, axis, x, x)


def log_softmax_backward(dy, y, axis=-1):
    def one(g, logs):
        total = math.fsum(g)
        return [a - math.exp(b) * total for a, b in zip(g, logs)]

    return _along(one, axis, dy, dy, y)


def cross_entropy(logits, target, *, ignore_index=-100):
    classes = range(logits.shape[1])
    losses = []
    for place in np.ndindex(target.shape):
        t = int(target[place])
        if t == ignore_index:
            continue
        if t not in classes:
            raise ValueError(f"{t} is no class")
        losses.append(-_log_softmax(logits[(place[0], slice(None), *place[1:])].tolist())[t])
    return math.fsum(losses) / len(losses) if losses else 0.0


def cross_entropy_backward(logits, target, *, ignore_index=-100):
    kept = [place for place in np.ndindex(target.shape) if target[place] != ignore_index]
    grad = np.zeros(logits.shape, dtype=logits.dtype)
    for place in kept:
        where = (place[0], slice(None), *place[1:])
        p = [math.exp(v) for v in _log_softmax(logits[where].tolist())]
        p[int(target[place])] -= 1
        grad[where] = [v / len(kept) for v in p]
    return grad


def _normalized(row, eps):
    mean = math.fsum(row) / len(row)
    d = [v - mean for v in row]
    squares = math.fsum(v * v for v in d)
    sigma = math.sqrt(squares / len(row) + eps)
    return [v / sigma for v in d], sigma, mean, squares


def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    y, mean, var = np.empty(x.shape, x.dtype), running_mean.copy(), running_var.copy()
    for c in range(x.shape[1]):
        row = x[:, c].ravel().tolist()
        if training:
            if len(row) == 1:
                raise ValueError("one value has no spread")
            hat, _, m, squares = _normalized(row, eps)
            mean[c] = (1 - momentum) * float(running_mean[c]) + momentum * m
            var[c] = (1 - momentum) * float(running_var[c]) + momentum * squares / (len(row) - 1)
        else:
            sigma = math.sqrt(float(running_var[c]) + eps)
            hat = [(v - float(running_mean[c])) / sigma for v in row]
        y[:, c] = np.array([float(gamma[c]) * h + float(beta[c]) for h in hat]).reshape(y[:, c].shape)
    return y, mean, var


def _norm_backward(g, row, eps):
    """dx and the normalized values, for a gradient g of the latter."""
    hat, sigma, _, _ = _normalized(row, eps)
    average, share = math.fsum(g) / len(g), math.fsum(a * h for a, h in zip(g, hat)) / len(g)
    return [(a - average - h * share) / sigma for a, h in zip(g, hat)], hat


def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    dx, dgamma, dbeta = (np.empty_like(a) for a in (x, gamma, gamma))
    for c in range(x.shape[1]):
        up = dy[:, c].ravel().tolist()
        row, hat = _norm_backward([float(gamma[c]) * v for v in up], x[:, c].ravel().tolist(), eps)
        dx[:, c] = np.array(row).reshape(dx[:, c].shape)
        dgamma[c], dbeta[c] = math.fsum(a * h for a, h in zip(up, hat)), math.fsum(up)
    return dx, dgamma, dbeta


def layer_norm_forward(x, gamma, beta, *, eps=1e-5):
    n, scale, shift = gamma.size, gamma.ravel().tolist(), beta.ravel().tolist()
    flat, y = x.ravel().tolist(), []
    for start in range(0, len(flat), n):
        hat = _normalized(flat[start : start + n], eps)[0]
        y += [a * h + b for a, h, b in zip(scale, hat, shift)]
    return np.array(y, dtype=x.dtype).reshape(x.shape)


def layer_norm_backward(dy, x, gamma, *, eps=1e-5):
    n, scale = gamma.size, gamma.ravel().tolist()
    flat, up, dx, hats = x.ravel().tolist(), dy.ravel().tolist(), [], []
    for start in range(0, len(flat), n):
        g = [a * b for a, b in zip(scale, up[start : start + n])]
        row, hat = _norm_backward(g, flat[start : start + n], eps)
        dx += row
        hats += hat
    dgamma = [math.fsum(a * h for a, h in zip(up[i::n], hats[i::n])) for i in range(n)]
    dbeta = [math.fsum(up[i::n]) for i in range(n)]
    return tuple(
        np.array(values, dtype=x.dtype).reshape(shape)
        for values, shape in ((dx, x.shape), (dgamma, gamma.shape), (dbeta, gamma.shape))
    )


def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    def normalize(z):
        rows = z.T if norm == "batch" else z
        done = np.array([_normalized(row, 1e-5)[0] for row in rows.tolist()])
        return done.T if norm == "batch" else done

    f = dict(sigmoid=sigmoid, tanh=tanh, relu=relu)[activation]
    slope = dict(
        sigmoid=lambda v: 4 * _slope(v), tanh=lambda v: 4 * _slope(2 * v), relu=lambda v: 1 if v > 0 else 0
    )[activation]
    found = np.zeros((4, len(weights)))
    h = x.astype(float)
    for k, w in enumerate(weights):
        z = h @ w.astype(float).T
        if norm is not None and not norm_after:
            z = normalize(z)
        h = f(z)
        if norm is not None and norm_after:
            h = normalize(h)
        values, inputs = h.ravel().tolist(), z.ravel().tolist()
        mean = math.fsum(values) / len(values)
        found[:, k] = (
            mean,
            math.sqrt(math.fsum((v - mean) ** 2 for v in values) / len(values)),
            sum(v > 0 for v in values) / len(values),
            sum(slope(v) <= 0.1 for v in inputs) / len(inputs),
        )
    return {"mean": found[0], "std": found[1], "positive": found[2], "saturated": found[3]}


def xavier_uniform(out, in_, *, rng):
    a = math.sqrt(6 / (in_ + out))
    return np.array([[rng.uniform(-a, a) for _ in range(in_)] for _ in range(out)])


def he_normal(out, in_, *, rng):
    return np.array([rng.normal(0.0, math.sqrt(2 / in_), in_) for _ in range(out)])
