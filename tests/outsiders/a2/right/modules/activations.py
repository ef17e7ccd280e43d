from __future__ import annotations

import math

import numpy as np
from kit import Channels, LastAxis, Leaky, Rows, Sigmoid, Tanh


def sigmoid(x):
    return Sigmoid()(x)


def sigmoid_backward(dy, x):
    return Sigmoid().back(dy, x)


def tanh(x):
    return Tanh()(x)


def tanh_backward(dy, x):
    return Tanh().back(dy, x)


def relu(x):
    return Leaky()(x)


def relu_backward(dy, x):
    return Leaky().back(dy, x)


def leaky_relu(x, negative_slope=0.01):
    return Leaky(negative_slope)(x)


def leaky_relu_backward(dy, x, negative_slope=0.01):
    return Leaky(negative_slope).back(dy, x)


def saturation_point(derivative, fraction):
    """Ten equal parts, of these the first whose end is low enough; and again, digit by digit."""
    if fraction >= 1:
        return 0.0
    goal = fraction * derivative(0.0)
    if derivative(100.0) > goal:
        return math.inf
    start, width = 0.0, 100.0
    for _ in range(10):
        width /= 10
        parts = 0
        while parts < 9 and derivative(start + (parts + 1) * width) > goal:
            parts += 1
        start += parts * width
    return start + width / 2


def sign_agreement(dy, x):
    gradient = np.tensordot(dy, x, axes=(0, 0))
    return (gradient >= 0).all(axis=1) | (gradient <= 0).all(axis=1)


class _Walker:
    def __init__(self, x, y, lr):
        self.x, self.y, self.lr = x, y, lr

    def step(self, w):
        error = np.matmul(self.x, w) - self.y
        return w - self.lr * np.mean(error[:, np.newaxis] * self.x, axis=0)


def zigzag_descent(x, y, w0, *, lr, steps):
    walker = _Walker(x, y, lr)
    path = np.empty((steps + 1, 2), np.result_type(x, y, w0))
    path[0] = w0
    for k in range(steps):
        path[k + 1] = walker.step(path[k])
    way = sum(math.dist(a, b) for a, b in zip(path, path[1:]))
    straight = math.dist(path[0], path[-1])
    return path, (math.inf if straight == 0 else way / straight)


def softmax(x, axis=-1):
    return np.exp(log_softmax(x, axis))


def softmax_backward(dy, y, axis=-1):
    view = LastAxis(y, axis)
    d, p = view.rows(dy), view.rows(y)
    return view.undo(np.stack([p_row * (d_row - d_row @ p_row) for d_row, p_row in zip(d, p)]))


def log_softmax(x, axis=-1):
    view = LastAxis(x, axis)
    rows = view.rows(x)
    rows = rows - rows.max(axis=1)[:, None]
    return view.undo(rows - np.log(np.exp(rows).sum(axis=1))[:, None])


def log_softmax_backward(dy, y, axis=-1):
    view = LastAxis(y, axis)
    d = view.rows(dy)
    return view.undo(d - np.exp(view.rows(y)) * d.sum(axis=1)[:, None])


def _prepared(logits, target, ignore_index):
    view = LastAxis(logits, 1)
    keep = target.reshape(-1) != ignore_index
    return view, view.rows(logits), target.reshape(-1), keep


def cross_entropy(logits, target, *, ignore_index=-100):
    _, rows, labels, keep = _prepared(logits, target, ignore_index)
    rows, labels = rows[keep], labels[keep]
    if labels.size == 0:
        return 0.0
    if labels.min() < 0 or labels.max() >= rows.shape[1]:
        raise ValueError(f"classes are 0 to {rows.shape[1] - 1}")
    return float(-np.take_along_axis(log_softmax(rows), labels[:, None], axis=1).mean())


def cross_entropy_backward(logits, target, *, ignore_index=-100):
    view, rows, labels, keep = _prepared(logits, target, ignore_index)
    gradient = np.zeros(rows.shape, logits.dtype)
    if keep.any():
        part = softmax(rows[keep])
        part[np.arange(len(part)), labels[keep]] -= 1
        gradient[keep] = part / len(part)
    return view.undo(gradient)


def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    view = Channels(x)
    rows = view.rows(x)
    if training:
        core = Rows(rows, eps)
        if core.m == 1:
            raise ValueError("training on one value per channel")
        hat = core.hat
        new_mean = (1 - momentum) * running_mean + momentum * core.mean
        new_var = (1 - momentum) * running_var + momentum * core.squares / (core.m - 1)
    else:
        hat = (rows - running_mean[:, None]) / np.sqrt(running_var + eps)[:, None]
        new_mean, new_var = np.array(running_mean), np.array(running_var)
    return view.images(gamma[:, None] * hat + beta[:, None]), new_mean, new_var


def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    view = Channels(x)
    core, d = Rows(view.rows(x), eps), view.rows(dy)
    dx = core.back(d * gamma[:, None])
    return view.images(dx), (d * core.hat).sum(axis=1), d.sum(axis=1)


def layer_norm_forward(x, gamma, beta, *, eps=1e-5):
    """Batch normalization of the transposed: samples become channels."""
    rows = x.reshape(-1, gamma.size)
    zeros, ones = np.zeros(len(rows), x.dtype), np.ones(len(rows), x.dtype)
    if gamma.size == 1:  # one value has no spread, and deviates by 0
        return gamma * np.zeros_like(x) + beta
    hat, _, _ = batch_norm_forward(rows.T, ones, zeros, zeros, ones, training=True, eps=eps)
    return gamma * hat.T.reshape(x.shape) + beta


def layer_norm_backward(dy, x, gamma, *, eps=1e-5):
    rows, d = x.reshape(-1, gamma.size), dy.reshape(-1, gamma.size)
    ones = np.ones(len(rows), x.dtype)
    dx, _, _ = batch_norm_backward((d * gamma.reshape(-1)).T, rows.T, ones, eps=eps)
    dgamma = (d * Rows(rows, eps).hat).sum(axis=0)
    return dx.T.reshape(x.shape), dgamma.reshape(gamma.shape), d.sum(axis=0).reshape(gamma.shape)


class _Layer:
    def __init__(self, weight, function, norm, after):
        self.weight, self.function, self.norm, self.after = weight, function, norm, after

    def normalize(self, z):
        if self.norm == "batch":
            return Rows(z.T, 1e-5).hat.T
        return z if self.norm is None else Rows(z, 1e-5).hat

    def __call__(self, h):
        z = np.matmul(h, np.transpose(self.weight))
        if self.after:
            return z, self.normalize(self.function(z))
        z = self.normalize(z)
        return z, self.function(z)


def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    function = dict(sigmoid=Sigmoid(), tanh=Tanh(), relu=Leaky())[activation]
    result = {key: np.zeros(len(weights)) for key in ("mean", "std", "positive", "saturated")}
    h = x
    for k, weight in enumerate(weights):
        z, h = _Layer(weight, function, norm, norm_after)(h)
        result["mean"][k] = h.mean()
        result["std"][k] = h.std()
        result["positive"][k] = (h > 0).mean()
        result["saturated"][k] = (function.slope(z) <= 0.1 * function.largest()).mean()
    return result


def xavier_uniform(out, in_, *, rng):
    bound = np.sqrt(6.0 / (in_ + out))
    return rng.uniform(low=-bound, high=bound, size=in_ * out).reshape(in_, out).T


def he_normal(out, in_, *, rng):
    return np.stack([rng.normal(0, np.sqrt(2 / in_), in_) for _ in range(out)])
