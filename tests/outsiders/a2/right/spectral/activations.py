"""Assignment 2 in the frequency domain, with recursion and generators for the rest.

The mean of a line of numbers is its frequency 0, centring sets that to 0, and by Parseval's theorem sums of products
can be read off the spectra. Scores are merged in pairs, sums in a tree.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from fractions import Fraction
from functools import partial, reduce
from itertools import accumulate, pairwise, repeat

import numpy as np

QUAD = np.longdouble


def _in(dtype, function, *arrays):
    """Compute in another dtype, and come back to that of the first array."""
    return function(*(np.array(a, dtype=dtype) for a in arrays)).astype(arrays[0].dtype)


def _sigmoid(x):
    left = np.exp(np.minimum(x, 0))
    return left / (left + np.exp(-np.maximum(x, 0)))


def _tanh(x):
    less = np.expm1(-2 * np.abs(x))  # from 0 down to -1
    return np.copysign(less / (2 + less), x)


def sigmoid(x):
    return _in(QUAD, _sigmoid, x)


def sigmoid_backward(dy, x):
    return _in(QUAD, lambda d, z: d * _sigmoid(z) * _sigmoid(-z), dy, x)


def tanh(x):
    return _in(QUAD, _tanh, x)


def tanh_backward(dy, x):
    return _in(QUAD, lambda d, z: d - d * _tanh(z) ** 2, dy, x)


def relu(x):
    return np.clip(x, 0, None)


def relu_backward(dy, x):
    dx = dy.copy()
    dx[np.signbit(x)] = 0
    return dx


def leaky_relu(x, negative_slope=0.01):
    return relu(x) - negative_slope * relu(-x)


def leaky_relu_backward(dy, x, negative_slope=0.01):
    dx = np.array(dy)
    np.multiply(dx, negative_slope, out=dx, where=x <= 0)
    return dx


def saturation_point(derivative, fraction):
    threshold, per_unit = fraction * derivative(0.0), 4_000_000
    grid = range(100 * per_unit + 1)
    found = bisect_left(grid, True, key=lambda k: derivative(k / per_unit) <= threshold)
    return found / per_unit if found < len(grid) else float("inf")


def sign_agreement(dy, x):
    inputs = [[Fraction(v) for v in column] for column in x.T.tolist()]

    def gradients(column):
        errors = [Fraction(d) for d in column]
        return (sum(map(Fraction.__mul__, errors, values)) for values in inputs)

    def agrees(gradient):
        signs = {(g > 0) - (g < 0) for g in gradient}
        return not {1, -1} <= signs

    return np.fromiter((agrees(gradients(column)) for column in dy.T.tolist()), dtype=bool, count=dy.shape[1])


def zigzag_descent(x, y, w0, *, lr, steps):
    def step(w, _):
        errors = x[:, 0] * w[0] + x[:, 1] * w[1] - y
        return w - lr * np.stack([_tree(errors * x[:, 0]), _tree(errors * x[:, 1])]) / len(x)

    path = list(accumulate(repeat(None, steps), step, initial=np.array(w0)))
    points = [tuple(map(float, w)) for w in path]
    straight = math.dist(points[0], points[-1])
    return np.stack(path), sum(math.dist(*two) for two in pairwise(points)) / straight if straight else math.inf


def _tree(terms):
    """A sum over the first axis, halves first."""
    if len(terms) == 1:
        return terms[0]
    middle = len(terms) // 2
    return _tree(terms[:middle]) + _tree(terms[middle:])


def _log_sum(classes):
    """log of a sum of exponentials over the first axis, halves first."""
    if len(classes) == 1:
        return classes[0]
    middle = len(classes) // 2
    one, other = _log_sum(classes[:middle]), _log_sum(classes[middle:])
    return np.maximum(one, other) + np.log1p(np.exp(-np.abs(one - other)))


def _axis_first(function, axis, *arrays):
    moved = (np.swapaxes(a, 0, axis) for a in arrays)
    return np.swapaxes(_in(QUAD, function, *moved), 0, axis)


def _log_softmax(z):
    return z - _log_sum(z)


def softmax(x, axis=-1):
    return _axis_first(lambda z: np.exp(_log_softmax(z)), axis, x)


def softmax_backward(dy, y, axis=-1):
    return _axis_first(lambda d, p: p * (d - _tree(p * d)), axis, dy, y)


def log_softmax(x, axis=-1):
    return _axis_first(_log_softmax, axis, x)


def log_softmax_backward(dy, y, axis=-1):
    return _axis_first(lambda d, q: d - np.exp(q) * _tree(d), axis, dy, y)


def _targets(target, ignore_index):
    """The places and classes of the targets that are kept."""
    for place, right in np.ndenumerate(target):
        if right != ignore_index:
            yield place, right


def cross_entropy(logits, target, *, ignore_index=-100):
    classes = range(logits.shape[1])
    kept = list(_targets(target, ignore_index))
    if not all(int(right) in classes for _, right in kept):
        raise ValueError("A target is none of the classes.")
    if not kept:
        return 0.0
    logs = log_softmax(logits, axis=1)
    return -math.fsum(logs[n, right, *rest] for (n, *rest), right in kept) / len(kept)


def cross_entropy_backward(logits, target, *, ignore_index=-100):
    kept = list(_targets(target, ignore_index))
    probabilities, dlogits = softmax(logits, axis=1), np.zeros_like(logits)
    for (n, *rest), right in kept:
        where = (n, slice(None), *rest)
        dlogits[where] = probabilities[where] / len(kept)
        dlogits[n, right, *rest] = (probabilities[n, right, *rest] - 1) / len(kept)
    return dlogits


def _spectrum(lines):
    """The means of lines, which are float64, and the spectra of the deviations."""
    rough = np.fft.fft(lines)[..., :1].real / lines.shape[-1]
    spectra = np.fft.fft(lines - rough)  # small numbers now, and a frequency 0 that rounding has left
    means = rough[..., 0] + spectra[..., 0].real / lines.shape[-1]
    spectra[..., 0] = 0
    return means, spectra


def _product(one, other):
    """Of lines: the mean of the products, from the spectra."""
    return (one * other.conj()).real.sum(axis=-1, keepdims=True) / one.shape[-1] ** 2


def _lines_back(g, lines, eps):
    _, spectra = _spectrum(lines)
    sigma = np.sqrt(_product(spectra, spectra) + eps)
    hat = spectra / sigma
    _, arrived = _spectrum(g)
    return np.fft.ifft((arrived - hat * _product(arrived, hat)) / sigma).real, np.fft.ifft(hat).real


def _standard(lines, eps):
    means, spectra = _spectrum(lines)
    var = _product(spectra, spectra)
    return np.fft.ifft(spectra).real / np.sqrt(var + eps), means, var[..., 0]


def _wide(*arrays):
    return [np.array(a, dtype=np.float64, order="C") for a in arrays]


def _by_channel(*arrays):
    return [a.swapaxes(0, 1).reshape(a.shape[1], -1) for a in _wide(*arrays)]


def _as_images(lines, x):
    n, c, *pixels = x.shape
    return lines.reshape(c, n, *pixels).swapaxes(0, 1).astype(x.dtype)


def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    (lines,), column = _by_channel(x), (slice(None), None)
    scale, shift, mean, var = _wide(gamma, beta, running_mean, running_var)
    if training:
        m = lines.shape[1]
        if m == 1:
            raise ValueError("A single value has no spread.")
        hat, batch_mean, batch_var = _standard(lines, eps)
        mean = (1 - momentum) * mean + momentum * batch_mean
        var = (1 - momentum) * var + momentum * batch_var * m / (m - 1)
    else:
        hat = (lines - mean[column]) / np.sqrt(var[column] + eps)
    y = _as_images(scale[column] * hat + shift[column], x)
    return y, mean.astype(x.dtype), var.astype(x.dtype)


def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    d, lines = _by_channel(dy, x)
    (scale,) = _wide(gamma)
    dx, hat = _lines_back(scale[:, None] * d, lines, eps)
    return _as_images(dx, x), _tree((d * hat).T).astype(x.dtype), _tree(d.T).astype(x.dtype)


def layer_norm_forward(x, gamma, beta, *, eps=1e-5):
    lines, scale, shift = (a.reshape(-1, gamma.size) for a in _wide(x, gamma, beta))
    hat, _, _ = _standard(lines, eps)
    return (scale * hat + shift).reshape(x.shape).astype(x.dtype)


def layer_norm_backward(dy, x, gamma, *, eps=1e-5):
    d, lines, scale = (a.reshape(-1, gamma.size) for a in _wide(dy, x, gamma))
    dx, hat = _lines_back(scale * d, lines, eps)
    shaped = ((dx, x.shape), (_tree(d * hat), gamma.shape), (_tree(d), gamma.shape))
    return tuple(a.reshape(shape).astype(x.dtype) for a, shape in shaped)


def _flat(activation, z):
    if activation == "relu":
        return z <= 0
    ones = np.ones_like(z)
    slope = 4 * sigmoid_backward(ones, z) if activation == "sigmoid" else tanh_backward(ones, z)
    return slope <= 0.1


def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    function = dict(sigmoid=sigmoid, tanh=tanh, relu=relu)[activation]
    normalize = {
        None: lambda z: z,
        "layer": lambda z: _standard(z, 1e-5)[0],
        "batch": lambda z: _standard(z.T, 1e-5)[0].T,
    }[norm]

    def layers():
        (h,) = _wide(x)
        for w in weights:
            z = reduce(np.matmul, (h, *_wide(w.T)))
            if not norm_after:
                z = normalize(z)
            h = function(z)
            if norm_after:
                h = normalize(h)
            numbers = h.reshape(1, -1)
            _, (mean,), (var,) = _standard(numbers, 1.0)
            yield mean, math.sqrt(var), np.mean(h > 0), np.mean(_flat(activation, z))

    columns = map(partial(np.array, dtype=np.float64), zip(*layers()))
    return dict(zip(("mean", "std", "positive", "saturated"), columns))


def xavier_uniform(out, in_, *, rng):
    a = (6 / (in_ + out)) ** 0.5
    return np.fromiter((rng.uniform(-a, a) for _ in range(out * in_)), np.float64, out * in_).reshape(out, in_)


def he_normal(out, in_, *, rng):
    return np.stack([rng.standard_normal(in_) for _ in range(out)]) * (2 / in_) ** 0.5
