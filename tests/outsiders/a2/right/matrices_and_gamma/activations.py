"""Whole Jacobians, averaging matrices, stride tricks, and bisection on the bits of a float."""

import math
import struct

import numpy as np
from numpy.lib.stride_tricks import as_strided


def sigmoid(x):
    # softmax of the two scores x and 0
    with np.errstate(all="ignore"):
        return np.exp(-np.logaddexp(np.zeros_like(x), -x))


def sigmoid_backward(dy, x):
    t = np.tanh(x / 2)
    return dy * (1 - t * t) / 4


def tanh(x):
    small = np.abs(x) < 0.5
    near, far = np.where(small, x, 0), np.where(small, 0, x)
    e = np.expm1(2 * near)
    return np.where(small, e / (e + 2), 2 * sigmoid(2 * far) - 1)


def tanh_backward(dy, x):
    with np.errstate(all="ignore"):
        return dy / np.square(np.cosh(x))


def relu(x):
    return (x + np.abs(x)) / 2


def relu_backward(dy, x):
    return np.select([x > 0, x < 0], [dy, np.zeros_like(dy)], dy / 3)


def leaky_relu(x, negative_slope=0.01):
    return x.clip(min=0) + negative_slope * x.clip(max=0)


def leaky_relu_backward(dy, x, negative_slope=0.01):
    out = dy.copy()
    out[x < 0] *= negative_slope
    return out


def saturation_point(derivative, fraction):
    if not fraction < 1:
        return 0.0
    threshold = fraction * derivative(0.0)
    number = lambda k: struct.unpack("<d", struct.pack("<q", k))[0]  # the k-th float from 0 on
    low, high = 0, struct.unpack("<q", struct.pack("<d", 100.0))[0]
    if derivative(100.0) > threshold:
        return float("inf")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if derivative(number(middle)) <= threshold else (middle, high)
    return number(high)


def sign_agreement(dy, x):
    pushes = (dy[:, :, None] * x[:, None, :]).sum(axis=0)
    contradiction = (pushes[:, :, None] > 0) & (pushes[:, None, :] < 0)
    return np.logical_not(contradiction.any(axis=(1, 2)))


def zigzag_descent(x, y, w0, *, lr, steps):
    weights = w0[:, None] + 0
    for k in range(steps):
        last = weights[:, -1:]
        per_sample = (x @ last - y[:, None]) * x
        weights = np.hstack([weights, last - lr * per_sample.mean(axis=0)[:, None]])
    moves = weights[:, 1:] - weights[:, :-1]
    straight = weights[:, -1] - weights[:, 0]
    if not straight.any():
        return weights.T, np.inf
    return weights.T, float(np.hypot(*moves).sum() / np.hypot(*straight))


def _last(axis, *arrays):
    """The arrays as (rows, classes) with contiguous rows, and the way back."""
    moved = [np.swapaxes(a, axis, -1) for a in arrays]
    shape = moved[0].shape
    return [np.ascontiguousarray(a).reshape(-1, shape[-1]) for a in moved], lambda r: np.swapaxes(r.reshape(shape), axis, -1)


def softmax(x, axis=-1):
    (rows,), back = _last(axis, x)
    with np.errstate(all="ignore"):
        p = 1 / np.exp(rows[:, None, :] - rows[:, :, None]).sum(axis=2)  # 1 / sum of exp(x[j] - x[i])
    return back(p)


def softmax_backward(dy, y, axis=-1):
    (d, p), back = _last(axis, dy, y)
    jacobian = p[:, :, None] * (np.eye(p.shape[1], dtype=p.dtype) - p[:, None, :])
    return back((d[:, None, :] @ jacobian)[:, 0])


def log_softmax(x, axis=-1):
    (rows,), back = _last(axis, x)
    top = np.take_along_axis(rows, rows.argmax(axis=1)[:, None], axis=1)
    shifted = np.subtract(rows, top)
    return back(shifted - np.log(np.exp(shifted) @ np.ones((rows.shape[1], 1), rows.dtype)))


def log_softmax_backward(dy, y, axis=-1):
    (d, l), back = _last(axis, dy, y)
    jacobian = np.eye(l.shape[1], dtype=l.dtype) - np.exp(l)[:, None, :]  # d l[i] / d x[j]
    return back((d[:, None, :] @ jacobian)[:, 0])


def cross_entropy(logits, target, *, ignore_index=-100):
    classes = np.arange(logits.shape[1]).reshape(-1, *[1] * (logits.ndim - 2))
    kept = np.not_equal(target, ignore_index)
    right = (np.expand_dims(target, 1) == classes) & np.expand_dims(kept, 1)
    if (right.any(axis=1) != kept).any():
        raise ValueError("neither a class nor ignored")
    chosen = log_softmax(logits, axis=1)[right]
    return float(-chosen.mean()) if chosen.size else 0.0


def cross_entropy_backward(logits, target, *, ignore_index=-100):
    classes = np.arange(logits.shape[1]).reshape(-1, *[1] * (logits.ndim - 2))
    kept = np.not_equal(target, ignore_index)[:, None]
    gradient = np.zeros_like(logits)
    if kept.any():
        np.subtract(softmax(logits, axis=1), target[:, None] == classes, out=gradient, where=kept)
        gradient /= float(np.count_nonzero(kept))
    return gradient


def _columns(a):
    """(m, C): every sample and pixel of a channel below the others."""
    return np.moveaxis(a, 1, -1).reshape(-1, a.shape[1])


def _images(columns, like):
    return np.moveaxis(columns.reshape(like.shape[:1] + like.shape[2:] + (-1,)), -1, 1)


def _spread(vector, like):
    """A read-only view of a (C,) vector with strides 0 everywhere else."""
    vector = np.ascontiguousarray(vector)
    strides = [0] * like.ndim
    strides[1] = vector.strides[0]
    return as_strided(vector, like.shape, strides, writeable=False)


def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    if not training:
        scale = gamma / np.sqrt(running_var + eps)
        y = _spread(scale, x) * (x - _spread(running_mean, x)) + _spread(beta, x)
        return y, np.array(running_mean), np.array(running_var)
    columns = _columns(x)
    m = len(columns)
    if m == 1:
        raise ValueError("one value has no spread")
    first = columns[0].copy()
    columns = columns - first  # far from zero nothing is lost by that
    mean = columns.mean(axis=0)
    squares = np.linalg.norm(columns - mean, axis=0) ** 2
    y = (columns - mean) * (gamma * (squares / m + eps) ** -0.5) + beta
    old, new = 1 - momentum, momentum
    return _images(y, x), old * running_mean + new * (first + mean), old * running_var + new * squares / (m - 1)


def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    columns, grads = _columns(x).T, _columns(dy).T  # (C, m)
    m = columns.shape[1]
    centre = np.eye(m, dtype=x.dtype) - 1 / m
    c = (columns - columns[:, :1]) @ centre
    sigma = np.sqrt((c * c).mean(axis=1) + eps)
    normal = c / sigma[:, None]
    # the Jacobian of each channel, m by m
    jacobian = (centre - normal[:, :, None] * normal[:, None, :] / m) * (gamma / sigma)[:, None, None]
    dx = (jacobian @ grads[:, :, None])[:, :, 0]
    return _images(dx.T, x), np.diagonal(grads @ normal.T).copy(), grads @ np.ones(m, x.dtype)


def layer_norm_forward(x, gamma, beta, *, eps=1e-5):
    rows = x.reshape(-1, gamma.size)
    c = rows - rows[:, :1]
    c = c - c.mean(axis=1, keepdims=True)
    var = (c[:, None, :] @ c[:, :, None])[:, :, 0] / gamma.size
    return (c * (gamma.reshape(-1) / np.sqrt(var + eps))).reshape(x.shape) + beta


def layer_norm_backward(dy, x, gamma, *, eps=1e-5):
    d = gamma.size
    rows, grads = x.reshape(-1, d), dy.reshape(-1, d)
    centre = np.eye(d, dtype=x.dtype) - 1 / d
    c = (rows - rows[:, :1]) @ centre
    sigma = np.sqrt((c * c).mean(axis=1, keepdims=True) + eps)
    normal = c / sigma
    jacobian = (centre - normal[:, :, None] * normal[:, None, :] / d) / sigma[:, :, None]
    dx = ((grads * gamma.reshape(-1))[:, None, :] @ jacobian)[:, 0]
    return dx.reshape(x.shape), (grads * normal).sum(axis=0).reshape(gamma.shape), grads.sum(axis=0).reshape(gamma.shape)


def layer_statistics(x, weights, activation, *, norm=None, norm_after=False):
    def normalize(a):
        axis = ("batch", "layer").index(norm)
        n = a.shape[axis]
        centre = np.eye(n) - 1 / n
        c = centre @ (a - a[:1]) if axis == 0 else (a - a[:, :1]) @ centre
        return c / np.sqrt(np.mean(c * c, axis=axis, keepdims=True) + 1e-5)

    # where the slopes are 10 % of the largest, solved for the input
    root = math.sqrt(0.9)
    far = math.log((1 + root) / (1 - root))
    function, flat = {
        "sigmoid": (sigmoid, lambda z: np.abs(z) >= far),
        "tanh": (tanh, lambda z: np.abs(z) >= far / 2),
        "relu": (relu, lambda z: z <= 0),
    }[activation]
    layers = len(weights)
    found = {key: np.full(layers, np.nan) for key in ("mean", "std", "positive", "saturated")}
    h = np.asarray(x, dtype=np.float64)
    for k, w in enumerate(weights):
        z = (w.astype(np.float64) @ h.T).T
        if norm is not None and not norm_after:
            z = normalize(z)
        h = function(z)
        if norm is not None and norm_after:
            h = normalize(h)
        found["mean"][k] = np.average(h)
        found["std"][k] = np.linalg.norm(h - np.average(h)) / math.sqrt(h.size)
        found["positive"][k] = np.count_nonzero(h > 0) / h.size
        found["saturated"][k] = np.count_nonzero(flat(z)) / z.size
    return found


def xavier_uniform(out, in_, *, rng):
    a = np.sqrt(6 / (in_ + out))
    return a * (2 * rng.beta(1, 1, size=(out, in_)) - 1)


def he_normal(out, in_, *, rng):
    flat = rng.standard_gamma(0.5, size=out * in_)  # half the square of a standard normal number
    signs = rng.choice([-1.0, 1.0], size=out * in_)
    return (signs * np.sqrt(2 * flat) * np.sqrt(2 / in_)).reshape(in_, out).T
