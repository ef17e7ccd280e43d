# Odd corners of NumPy: complex tan, hyperbolic cosines, apply_along_axis, masked arrays, linalg, cov.
from __future__ import annotations

import bisect
from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy.lib.stride_tricks import sliding_window_view


def sigmoid(x):
    out = np.empty(x.shape, x.dtype)
    left = x < 0
    e = np.exp(x[left])
    out[left] = e / (e + 1)
    out[~left] = 1 / (1 + np.exp(-x[~left]))
    return out


def sigmoid_backward(dy, x):
    return dy / np.square(2 * np.cosh(x / 2))


def tanh(x):
    near = np.clip(x, -30, 30)
    return np.sinh(near) / np.cosh(near)


def tanh_backward(dy, x):
    return dy * np.cosh(x) ** -2


def relu(x):
    return np.ma.masked_less(x, 0).filled(0)


def relu_backward(dy, x):
    return np.choose(x > 0, [np.zeros_like(dy), dy])


def leaky_relu(x, negative_slope=0.01):
    return np.piecewise(x, [x < 0, x >= 0], [lambda v: v * negative_slope, lambda v: v])


def leaky_relu_backward(dy, x, negative_slope=0.01):
    dx = dy * negative_slope
    np.copyto(dx, dy, where=x >= 0)
    return dx


class _Flags:

    def __init__(self, f, level):
        self.f, self.level = f, level

    def __len__(self):
        return 10**10 + 1

    def __getitem__(self, k):
        return self.f(k / 1e8) <= self.level


def saturation_point(derivative, fraction):
    flags = _Flags(derivative, fraction * derivative(0.0))
    if fraction >= 1:
        return 0
    place = bisect.bisect_left(flags, True)
    return place / 1e8 if place < len(flags) else np.inf


def sign_agreement(dy, x):
    dw = np.tensordot(dy, x, axes=(0, 0))
    return np.fromiter((len(np.unique(np.sign(row[row != 0]))) < 2 for row in dw), bool, len(dw))


def zigzag_descent(x, y, w0, *, lr, steps):
    path = np.zeros((steps + 1, 2), x.dtype)
    path[0] = w0
    for here, there in zip(path[:-1], path[1:]):
        residual = np.inner(x, here) - y
        there[:] = here - lr * np.mean(np.multiply(x.T, residual), axis=1)
    ends = np.array([path[0], path[-1]], np.float64)
    length = lambda points: float(np.sum(np.abs(np.diff(points @ np.array([1, 1j])))))
    if np.array_equal(*ends):
        return path, np.inf
    return path, length(path.astype(np.float64)) / length(ends)


def softmax(x, axis=-1):
    def one(v):
        e = np.exp(v - v.max())
        return e / e.sum()
    return np.apply_along_axis(one, axis, x)


def softmax_backward(dy, y, axis=-1):
    s = np.stack([dy, y])
    def one(v):
        d, p = v[: len(v) // 2], v[len(v) // 2 :]
        return (np.diag(p) - np.outer(p, p)) @ d
    return np.apply_along_axis(one, axis, np.concatenate([dy, y], axis=axis))


def log_softmax(x, axis=-1):
    z = np.swapaxes(x, axis, 0)
    z = z - z.max(0)
    return np.swapaxes(z - np.log(np.exp(z).sum(0)), 0, axis)


def log_softmax_backward(dy, y, axis=-1):
    d, p = np.swapaxes(dy, axis, 0), np.exp(np.swapaxes(y, axis, 0))
    return np.swapaxes(d - p * d.sum(0), 0, axis)


def cross_entropy(logits, target, *, ignore_index=-100):
    C = logits.shape[1]
    masked = np.ma.masked_equal(target, ignore_index)
    clean = masked.compressed()
    if clean.size == 0:
        return 0.0
    if clean.min() < 0 or clean.max() > C - 1:
        raise ValueError("no such class")
    table = log_softmax(np.rollaxis(logits, 1).reshape(C, -1), 0)
    return float(-table[target.ravel(), np.arange(target.size)][target.ravel() != ignore_index].mean()) if _fits(target, C) else float(
        -sum(table[t, i] for i, t in enumerate(target.ravel()) if t != ignore_index) / clean.size
    )


def _fits(target, C):
    return bool(((target >= 0) & (target < C)).all())


def cross_entropy_backward(logits, target, *, ignore_index=-100):
    out = softmax(logits, 1)
    keep = target != ignore_index
    places = np.nonzero(keep)
    np.subtract.at(out, (places[0], target[keep], *places[1:]), 1)
    out *= np.expand_dims(keep, 1)
    return out if not keep.any() else out / len(places[0])


def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    if x.ndim == 4:  # as vectors, one a pixel
        n, c, h, w = x.shape
        pixels, *rest = batch_norm_forward(
            x.transpose(0, 2, 3, 1).reshape(-1, c), gamma, beta, running_mean, running_var, training=training, momentum=momentum, eps=eps
        )
        return (pixels.reshape(n, h, w, c).transpose(0, 3, 1, 2), *rest)
    mean, var = running_mean, running_var
    if training:
        if len(x) == 1:
            raise ValueError("one value")
        mean, var = np.mean(x, 0), np.var(x, 0)
        running_mean = np.average([running_mean, mean], axis=0, weights=[1 - momentum, momentum]).astype(x.dtype)
        running_var = np.average([running_var, np.var(x, 0, ddof=1)], axis=0, weights=[1 - momentum, momentum]).astype(x.dtype)
    return (x - mean) / np.sqrt(var + eps) * gamma + beta, running_mean.copy(), running_var.copy()


def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    if x.ndim == 4:
        n, c, h, w = x.shape
        flat = lambda a: a.transpose(0, 2, 3, 1).reshape(-1, c)
        dx, *rest = batch_norm_backward(flat(dy), flat(x), gamma, eps=eps)
        return (dx.reshape(n, h, w, c).transpose(0, 3, 1, 2), *rest)
    m = len(x)
    # step by step, as autograd would
    mu = x.mean(0)
    xc = x - mu
    var = (xc * xc).mean(0)
    inv = 1 / np.sqrt(var + eps)
    xhat = xc * inv
    dxhat = dy * gamma
    dinv = (dxhat * xc).sum(0)
    dvar = dinv * -0.5 * inv**3
    dxc = dxhat * inv + 2 / m * xc * dvar
    dx = dxc - dxc.sum(0) / m
    return dx, (dy * xhat).sum(0), dy.sum(0)


def layer_norm_forward(x, gamma, beta, *, eps=1e-5):
    if x.ndim > gamma.ndim:
        return np.stack([layer_norm_forward(s, gamma, beta, eps=eps) for s in x])
    return gamma * ((x - x.mean()) / (x.var() + eps) ** 0.5) + beta


def layer_norm_backward(dy, x, gamma, *, eps=1e-5):
    if x.ndim > gamma.ndim:
        parts = [layer_norm_backward(d, s, gamma, eps=eps) for d, s in zip(dy, x)]
        dxs, dgs, dbs = zip(*parts)
        return np.stack(dxs), sum(dgs[1:], dgs[0]), sum(dbs[1:], dbs[0])
    dev = x - x.mean()
    var = np.mean(dev**2) + eps
    g = gamma * dy
    dx = (g - g.mean()) / var**0.5 - dev * ((g * dev).mean() / var / var**0.5)
    return dx, dy * dev / var**0.5, dy.copy()


def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    f, point = {
        "sigmoid": (sigmoid, 2 * np.arctanh(np.sqrt(0.9))), "tanh": (tanh, np.arctanh(np.sqrt(0.9))), "relu": (relu, None)
    }[activation]

    def normalize(z):
        axis = 1 if norm == "layer" else 0
        if norm is None:
            return z
        return (z - z.mean(axis, keepdims=True)) / np.sqrt(z.var(axis, keepdims=True) + 1e-5)

    def go(h, rest):
        if not rest:
            return []
        z = h @ np.transpose(rest[0]).astype(np.float64)
        z = z if norm_after else normalize(z)
        h = f(z)
        h = normalize(h) if norm_after else h
        sat = np.mean(z <= 0) if point is None else np.mean(np.abs(z) >= point)
        return [[h.mean(), h.std(), np.count_nonzero(h > 0) / h.size, sat], *go(h, rest[1:])]

    table = np.asarray(go(np.asarray(x, np.float64), list(weights)))
    return {"saturated": table[:, 3], "positive": table[:, 2], "std": table[:, 1], "mean": table[:, 0]}


def xavier_uniform(out, in_, *, rng):
    w = rng.random(out * in_).reshape(out, in_)
    w *= 2
    w -= 1
    return w * np.sqrt(6 / (out + in_))


def he_normal(out, in_, *, rng):
    return np.vstack([rng.normal(0, np.sqrt(2 / in_), in_) for _ in range(out)])
