"""All sums with einsum; the activations by way of logaddexp."""
from __future__ import annotations
import numpy as np


def sigmoid(x):
    wide = np.asarray(x, np.float64)
    return np.exp(-np.logaddexp(0.0, -wide)).astype(x.dtype)


def sigmoid_backward(dy, x):
    return np.einsum("...,...,...->...", dy, sigmoid(x), sigmoid(-x))


def tanh(x):
    return sigmoid(2 * x) - sigmoid(-2 * x)


def tanh_backward(dy, x):
    t = tanh(x)
    return np.einsum("...,...,...->...", dy, 1 + t, 1 - t)


def relu(x):
    return np.einsum("...,...->...", x, (x > 0).astype(x.dtype))


def relu_backward(dy, x):
    return np.einsum("...,...->...", dy, (x >= 0).astype(x.dtype))


def leaky_relu(x, negative_slope=0.01):
    return relu(x) - negative_slope * relu(-x)


def leaky_relu_backward(dy, x, negative_slope=0.01):
    left = (x < 0).astype(x.dtype)
    return np.einsum("...,...->...", dy, 1 - left) + negative_slope * np.einsum("...,...->...", dy, left)


def saturation_point(derivative, fraction):
    # Search in 40 ever finer grids of ten cells, walking each from the left.
    threshold = fraction * derivative(0.0)
    if fraction >= 1:
        return 0.0
    if not derivative(100.0) <= threshold:
        return float("inf")
    left, width = 0.0, 100.0
    for _ in range(10):
        width /= 10
        cell = 0
        while cell < 9 and derivative(left + (cell + 1) * width) > threshold:
            cell += 1
        left += cell * width
    return float(left + width / 2)


def sign_agreement(dy, x):
    g = np.einsum("no,ni->oi", dy, x)
    s = np.sign(g).astype(int)
    return np.abs(np.einsum("oi->o", s)) == np.einsum("oi,oi->o", s, s)


def zigzag_descent(x, y, w0, *, lr, steps):
    n = x.shape[0]
    path = np.empty((steps + 1, 2), x.dtype)
    path[0] = w0
    for k in range(steps):
        error = np.einsum("ni,i->n", x, path[k]) - y
        path[k + 1] = path[k] - lr * (np.einsum("ni,n->i", x, error) / n)
    d = np.diff(path.astype(np.float64), axis=0)
    length = float(np.hypot(d[:, 0], d[:, 1]).sum())
    way = path[-1].astype(np.float64) - path[0].astype(np.float64)
    direct = float(np.hypot(way[0], way[1]))
    return path, length / direct if direct else float("inf")


def softmax(x, axis=-1):
    return np.exp(log_softmax(x, axis))


def softmax_backward(dy, y, axis=-1):
    a, b = np.moveaxis(dy, axis, -1), np.moveaxis(y, axis, -1)
    average = np.einsum("...i,...i->...", a, b)
    return np.moveaxis(np.einsum("...i,...i->...i", b, a - average[..., None]), -1, axis)


def log_softmax(x, axis=-1):
    wide = x.astype(np.float64)
    wide = wide - wide.max(axis=axis, keepdims=True)
    return (wide - np.logaddexp.reduce(wide, axis=axis, keepdims=True)).astype(x.dtype)


def log_softmax_backward(dy, y, axis=-1):
    a, p = np.moveaxis(dy, axis, -1), np.exp(np.moveaxis(y, axis, -1))
    return np.moveaxis(a - np.einsum("...i,...j->...i", p, a), -1, axis)


def _one_hot(target, classes, dtype):
    return (target[:, None] == np.arange(classes).reshape((-1,) + (1,) * (target.ndim - 1))).astype(dtype)


def cross_entropy(logits, target, *, ignore_index=-100):
    kept = (target != ignore_index).astype(np.float64)
    hot = _one_hot(target, logits.shape[1], np.float64)
    if np.any(np.einsum("nc...->n...", hot) < kept):
        raise ValueError("a target is no class")
    total = np.einsum("nc...,nc...,n...->...", log_softmax(logits.astype(np.float64), axis=1), hot, kept).sum()
    count = float(kept.sum())
    return float(-total / count) if count else 0.0


def cross_entropy_backward(logits, target, *, ignore_index=-100):
    kept = (target != ignore_index).astype(logits.dtype)
    count = int(np.count_nonzero(kept))
    difference = softmax(logits, axis=1) - _one_hot(target, logits.shape[1], logits.dtype)
    return np.einsum("nc...,n...->nc...", difference, kept) / max(count, 1)


def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    last = np.moveaxis(x, 1, -1)
    if not training:
        y = np.einsum("c,...c->...c", gamma / np.sqrt(running_var + eps), last - running_mean) + beta
        return np.moveaxis(y, -1, 1), running_mean.copy(), running_var.copy()
    m = x.size // x.shape[1]
    if m == 1:
        raise ValueError("one value has no spread")
    rows = last.reshape(m, -1)
    mean = np.einsum("mc->c", rows) / m
    mean = mean + np.einsum("mc->c", rows - mean) / m
    d = last - mean
    flat = d.reshape(m, -1)
    squares = np.einsum("mc,mc->c", flat, flat)
    y = np.einsum("c,...c->...c", gamma / np.sqrt(squares / m + eps), d) + beta
    return (
        np.moveaxis(y, -1, 1),
        momentum * mean + (1 - momentum) * running_mean,
        momentum * (squares / (m - 1)) + (1 - momentum) * running_var,
    )


def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    m = x.size // x.shape[1]
    last = np.moveaxis(x, 1, -1)
    a, g = last.reshape(m, -1), np.moveaxis(dy, 1, -1).reshape(m, -1)
    d = a - np.einsum("mc->c", a) / m
    d = d - np.einsum("mc->c", d) / m
    sigma = np.sqrt(np.einsum("mc,mc->c", d, d) / m + eps)
    hat = d / sigma
    dbeta, dgamma = np.einsum("mc->c", g), np.einsum("mc,mc->c", g, hat)
    dx = np.einsum("c,mc->mc", gamma / sigma, g - dbeta / m - np.einsum("mc,c->mc", hat, dgamma / m))
    return np.moveaxis(dx.reshape(last.shape), -1, 1), dgamma, dbeta


def layer_norm_forward(x, gamma, beta, *, eps=1e-5):
    n = gamma.size
    rows = x.reshape(-1, n)
    d = rows - (np.einsum("nd->n", rows) / n)[:, None]
    d = d - (np.einsum("nd->n", d) / n)[:, None]  # once more, for samples far from zero
    sigma = np.sqrt(np.einsum("nd,nd->n", d, d) / n + eps)
    return (np.einsum("nd,n,d->nd", d, 1 / sigma, gamma.reshape(-1)) + beta.reshape(-1)).reshape(x.shape)


def layer_norm_backward(dy, x, gamma, *, eps=1e-5):
    n = gamma.size
    rows, up = x.reshape(-1, n), dy.reshape(-1, n)
    d = rows - (np.einsum("nd->n", rows) / n)[:, None]
    d = d - (np.einsum("nd->n", d) / n)[:, None]  # once more, for samples far from zero
    sigma = np.sqrt(np.einsum("nd,nd->n", d, d) / n + eps)
    hat = np.einsum("nd,n->nd", d, 1 / sigma)
    g = np.einsum("nd,d->nd", up, gamma.reshape(-1))
    dx = g - (np.einsum("nd->n", g) / n)[:, None] - np.einsum("nd,n->nd", hat, np.einsum("nd,nd->n", g, hat) / n)
    dgamma, dbeta = np.einsum("nd,nd->d", up, hat), np.einsum("nd->d", up)
    return (dx / sigma[:, None]).reshape(x.shape), dgamma.reshape(gamma.shape), dbeta.reshape(gamma.shape)


def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    def normalize(z):
        if norm is None:
            return z
        if norm == "layer":
            one = np.ones(z.shape[1])
            return layer_norm_forward(z, one, 0 * one)
        one = np.ones(z.shape[1])
        d = z - np.einsum("nd->d", z) / len(z)
        return d * (one / np.sqrt(np.einsum("nd,nd->d", d, d) / len(z) + 1e-5))

    f = {"sigmoid": sigmoid, "tanh": tanh, "relu": relu}[activation]
    slope = {
        "sigmoid": lambda z: 4 * sigmoid(z) * sigmoid(-z),
        "tanh": lambda z: (1 - tanh(z)) * (1 + tanh(z)),
        "relu": lambda z: (z > 0) * 1.0,
    }[activation]
    result = {k: np.zeros(len(weights)) for k in ("saturated", "positive", "std", "mean")}
    h = x.astype(np.float64)
    for k, w in enumerate(weights):
        z = np.einsum("ni,oi->no", h, w.astype(np.float64))
        z = z if norm_after else normalize(z)
        h = f(z)
        h = normalize(h) if norm_after else h
        mean = np.einsum("no->", h) / h.size
        result["mean"][k] = mean
        result["std"][k] = np.sqrt(np.einsum("no,no->", h - mean, h - mean) / h.size)
        result["positive"][k] = np.count_nonzero(h > 0) / h.size
        result["saturated"][k] = np.count_nonzero(slope(z) <= 0.1) / h.size
    return result


def xavier_uniform(out, in_, *, rng):
    a = (6 / (in_ + out)) ** 0.5
    return np.einsum("io->oi", a * (2 * rng.random((in_, out)) - 1))


def he_normal(out, in_, *, rng):
    return np.einsum("io,->oi", rng.standard_normal((in_, out)), (2 / in_) ** 0.5)
