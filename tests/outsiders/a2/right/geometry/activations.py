"""Assignment 2 by geometry: reflections instead of means, complex numbers for points in the plane, einsum for sums.

A Householder reflection takes the direction (1, ..., 1) of a line of m numbers to the first axis. There the mean is the
first coordinate, what is left are the deviations, and to take a mean away is to forget a coordinate. All is computed in
float64 and rounded to the dtype of the arguments at the end.
"""

from __future__ import annotations

import math

import numpy as np

ROOT = math.sqrt(0.9)
HALF_WIDTH = math.log((1 + ROOT) / (1 - ROOT))  # where 4 s (1 - s) is 1/10


def _wide(*arrays):
    return [np.array(a, dtype=np.float64) for a in arrays]


def _back(like, *arrays):
    found = tuple(np.asarray(a).astype(like.dtype) for a in arrays)
    return found if len(found) > 1 else found[0]


def _log_sigmoid(x):
    return -np.logaddexp(0.0, -x)


def sigmoid(x):
    return _back(x, np.exp(_log_sigmoid(*_wide(x))))


def sigmoid_backward(dy, x):
    d, z = _wide(dy, x)
    return _back(x, d * np.exp(_log_sigmoid(z) + _log_sigmoid(-z)))


def tanh(x):
    (z,) = _wide(x)
    return _back(x, np.exp(_log_sigmoid(2 * z)) - np.exp(_log_sigmoid(-2 * z)))


def tanh_backward(dy, x):
    d, z = _wide(dy, x)
    return _back(x, 4 * d * np.exp(_log_sigmoid(2 * z) + _log_sigmoid(-2 * z)))


def relu(x):
    return (x + np.abs(x)) / 2


def relu_backward(dy, x):
    return dy * ((1 + np.sign(x)) / 2)


def leaky_relu(x, negative_slope=0.01):
    (z,) = _wide(x)
    return _back(x, (1 + negative_slope) / 2 * z + (1 - negative_slope) / 2 * np.abs(z))


def leaky_relu_backward(dy, x, negative_slope=0.01):
    d, z = _wide(dy, x)
    return _back(x, d * ((1 + negative_slope) / 2 + (1 - negative_slope) / 2 * np.sign(z)))


def saturation_point(derivative, fraction):
    """Bisection over all floats: their bits, read as whole numbers, are in the order of the numbers."""
    if fraction >= 1:
        return 0.0

    def fallen(x):
        return derivative(x) <= fraction * derivative(0.0)

    if not fallen(100.0):
        return math.inf
    low, high = (int(np.float64(end).view(np.int64)) for end in (0.0, 100.0))
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fallen(float(np.int64(middle).view(np.float64))) else (middle, high)
    return float(np.int64(high).view(np.float64))


def sign_agreement(dy, x):
    signs = np.sign(np.einsum("no,ni->oi", dy, x))
    return np.abs(signs.sum(axis=1)) == np.abs(signs).sum(axis=1)


def zigzag_descent(x, y, w0, *, lr, steps):
    narrow = np.complex64 if x.dtype == np.float32 else np.complex128
    inputs = x[:, 0].astype(np.complex128) + 1j * x[:, 1]
    targets = y.astype(np.float64)
    path = np.empty(steps + 1, narrow)
    path[0] = complex(w0[0], w0[1])
    for k in range(steps):
        w = complex(path[k])
        errors = inputs.real * w.real + inputs.imag * w.imag - targets
        path[k + 1] = w - lr * complex((errors * inputs.real).mean(), (errors * inputs.imag).mean())
    points = path.astype(np.complex128)
    walked, straight = float(np.abs(np.diff(points)).sum()), float(abs(points[-1] - points[0]))
    return np.stack([path.real, path.imag], axis=1), walked / straight if straight else math.inf


def _log_softmax(x, axis):
    return x - np.logaddexp.reduce(x, axis=axis, keepdims=True)


def softmax(x, axis=-1):
    return _back(x, np.exp(_log_softmax(*_wide(x), axis)))


def _along(axis, *arrays):
    return [np.moveaxis(a, axis, -1) for a in _wide(*arrays)]


def softmax_backward(dy, y, axis=-1):
    d, p = _along(axis, dy, y)
    dx = p * d - p * np.einsum("...i,...i->...", d, p)[..., np.newaxis]
    return _back(y, np.moveaxis(dx, -1, axis))


def log_softmax(x, axis=-1):
    return _back(x, _log_softmax(*_wide(x), axis))


def log_softmax_backward(dy, y, axis=-1):
    d, q = _along(axis, dy, y)
    dx = d - np.exp(q) * np.einsum("...i->...", d)[..., np.newaxis]
    return _back(y, np.moveaxis(dx, -1, axis))


def _decisions(logits, target, ignore_index):
    """Rows of logits and one-hot rows, all 0 where a target is left out; and the rows' shape."""
    (moved,) = _along(1, logits)
    rows, names = moved.reshape(-1, moved.shape[-1]), target.reshape(-1)
    kept = names != ignore_index
    hot = (names[:, np.newaxis] == np.arange(rows.shape[1])) & kept[:, np.newaxis]
    return rows, hot, kept, moved.shape


def cross_entropy(logits, target, *, ignore_index=-100):
    rows, hot, kept, _ = _decisions(logits, target, ignore_index)
    if (hot.sum(axis=1) != kept).any():
        raise ValueError("A target is no class.")
    count = int(kept.sum())
    return float(-np.einsum("nc,nc->", _log_softmax(rows, 1), hot) / count) if count else 0.0


def cross_entropy_backward(logits, target, *, ignore_index=-100):
    rows, hot, kept, shape = _decisions(logits, target, ignore_index)
    share = kept / max(int(kept.sum()), 1)
    found = np.einsum("n,nc->nc", share, np.exp(_log_softmax(rows, 1)) - hot)
    return _back(logits, np.moveaxis(found.reshape(shape), -1, 1))


def _reflect(lines):
    """Lines along the last axis, with (1, ..., 1) / sqrt(m) and the first axis exchanged."""
    m = lines.shape[-1]
    if m == 1:
        return lines
    v = np.full(m, 1 / math.sqrt(m))
    v[0] -= 1
    return lines - np.einsum("...i,i->...", lines, v)[..., np.newaxis] * v / (1 - 1 / math.sqrt(m))


def _forget(coordinates):
    return np.concatenate([np.zeros_like(coordinates[..., :1]), coordinates[..., 1:]], axis=-1)


def _coordinates(lines):
    """The mean of each line, and the deviations in reflected coordinates, of which the first is 0."""
    first = lines[..., :1]
    turned = _reflect(lines - first)
    return first[..., 0] + turned[..., 0] / math.sqrt(lines.shape[-1]), _forget(turned)


def _norm_backward(g, lines, eps):
    m = lines.shape[-1]
    _, deviations = _coordinates(lines)
    sigma = np.sqrt(np.einsum("...i,...i->...", deviations, deviations) / m + eps)[..., np.newaxis]
    hat = deviations / sigma
    turned = _forget(_reflect(g))
    share = np.einsum("...i,...i->...", turned, hat)[..., np.newaxis] / m
    return _reflect((turned - hat * share) / sigma), _reflect(hat)


def _channels(*arrays):
    """One line for each channel."""
    return [np.moveaxis(a, 1, 0).reshape(a.shape[1], -1) for a in _wide(*arrays)]


def _images(lines, like):
    return np.moveaxis(lines.reshape(like.shape[1], like.shape[0], *like.shape[2:]), 0, 1)


def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    (lines,) = _channels(x)
    scale, shift, old_mean, old_var = _wide(gamma, beta, running_mean, running_var)
    m = lines.shape[1]
    if training:
        if m == 1:
            raise ValueError("m is 1")
        mean, deviations = _coordinates(lines)
        squares = np.einsum("ci,ci->c", deviations, deviations)
        deviations, var = _reflect(deviations), squares / m
        new_mean = old_mean + momentum * (mean - old_mean)
        new_var = old_var + momentum * (squares / (m - 1) - old_var)
    else:
        deviations, var, new_mean, new_var = lines - old_mean[:, np.newaxis], old_var, old_mean, old_var
    y = (scale / np.sqrt(var + eps))[:, np.newaxis] * deviations + shift[:, np.newaxis]
    return _back(x, _images(y, x), new_mean, new_var)


def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    d, lines = _channels(dy, x)
    dx, hat = _norm_backward(np.einsum("c,ci->ci", *_wide(gamma), d), lines, eps)
    return _back(x, _images(dx, x), np.einsum("ci,ci->c", d, hat), np.einsum("ci->c", d))


def layer_norm_forward(x, gamma, beta, *, eps=1e-5):
    lines, scale, shift = _wide(x, gamma, beta)
    lines = lines.reshape(-1, gamma.size)
    _, deviations = _coordinates(lines)
    sigma = np.sqrt(np.einsum("ni,ni->n", deviations, deviations) / gamma.size + eps)
    y = np.einsum("i,ni,n->ni", scale.reshape(-1), _reflect(deviations), 1 / sigma) + shift.reshape(-1)
    return _back(x, y.reshape(x.shape))


def layer_norm_backward(dy, x, gamma, *, eps=1e-5):
    d, lines, scale = (a.reshape(-1, gamma.size) for a in _wide(dy, x, gamma))
    dx, hat = _norm_backward(scale * d, lines, eps)
    dgamma, dbeta = np.einsum("ni,ni->i", d, hat), np.einsum("ni->i", d)
    return _back(x, dx.reshape(x.shape), dgamma.reshape(gamma.shape), dbeta.reshape(gamma.shape))


def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    function = {"sigmoid": sigmoid, "tanh": tanh, "relu": relu}[activation]

    def normalize(z):
        lines = z.T if norm == "batch" else z
        _, deviations = _coordinates(lines)
        var = np.einsum("ni,ni->n", deviations, deviations) / lines.shape[1]
        hat = _reflect(deviations) / np.sqrt(var + 1e-5)[:, np.newaxis]
        return hat.T if norm == "batch" else hat

    before, after = {None: (False, False)}.get(norm, (not norm_after, norm_after))
    (h,) = _wide(x)
    table = []
    for w in weights:
        z = np.einsum("ni,oi->no", h, *_wide(w), optimize=True)
        z = normalize(z) if before else z
        h = function(z)
        h = normalize(h) if after else h
        edge = {"sigmoid": HALF_WIDTH, "tanh": HALF_WIDTH / 2}.get(activation)
        flat = z <= 0 if edge is None else np.abs(z) >= edge
        mean = h.mean()
        table.append([mean, np.linalg.norm(h - mean) / math.sqrt(h.size), (h > 0).mean(), flat.mean()])
    return dict(zip(("mean", "std", "positive", "saturated"), np.array(table, dtype=np.float64).T.copy()))


def xavier_uniform(out, in_, *, rng):
    return rng.uniform(-1, 1, (in_, out)).T * math.sqrt(6 / (in_ + out))


def he_normal(out, in_, *, rng):
    radius = np.sqrt(-2 * np.log1p(-rng.random((out, in_))))
    angle = 2 * np.pi * rng.random((out, in_))
    return (radius * np.exp(1j * angle)).imag * math.sqrt(2 / in_)  # Box and Muller
