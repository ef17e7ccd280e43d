# This file is yours: put your code where it raises NotImplementedError, then run "python -m pytest".
"""Assignment 1. The work is done in the package slidingwindows and in kernels.py."""

from __future__ import annotations

import numpy as np

import kernels
from slidingwindows import Axis, Plane, common_dtype, in_common_precision
from slidingwindows.geometry import both
from slidingwindows.layer import Layer
from slidingwindows.systems import Linearity, TimeInvariance


@in_common_precision
def convolve(x, h):
    if x.size == 0 or h.size == 0:
        raise ValueError("Both signals need samples.")
    y = np.zeros(x.size + h.size - 1, x.dtype)
    for start, sample in enumerate(x):
        y[start : start + h.size] += sample * h
    return y


@in_common_precision
def cross_correlate(x, h):
    if h.size > x.size:
        raise ValueError("h does not fit.")
    axis = Axis(x.size, h.size)
    return sum(weight * x[axis.seen_by(k)] for k, weight in enumerate(h))


@in_common_precision
def convolution_matrix(h, n):
    return np.stack([convolve(impulse, h) for impulse in np.eye(n, dtype=h.dtype)], axis=1)


def impulse_response(system, length):
    return system(np.concatenate([np.ones(1), np.zeros(length - 1)]))


def is_linear(system, length, *, rng):
    return not Linearity(system, length, rng).contradicted()


def is_time_invariant(system, length, *, rng):
    return not TimeInvariance(system, length, rng).contradicted()


class _Vector:
    """A vector as a direction and a length of any magnitude."""

    def __init__(self, samples):
        samples = np.asarray(samples, float)
        self.scale = np.abs(samples).max(initial=0)
        self.samples = samples / self.scale if self.scale else samples

    def __bool__(self):
        return bool(self.scale)

    def __matmul__(self, other):
        return self.samples @ other.samples

    def cosine(self, other):
        if not self or not other:
            return 0.0
        return float(self @ other / np.sqrt(self @ self) / np.sqrt(other @ other))


def cosine_similarity(a, b):
    return _Vector(a).cosine(_Vector(b))


def _shape_of(samples):
    """What remains of the samples without their mean; nothing at all if they are equal."""
    return _Vector(samples - samples.mean() if np.unique(samples).size > 1 else np.zeros(samples.size))


def match_template(x, template):
    if template.size > x.size:
        raise ValueError("The template does not fit.")
    signal, wanted = x.astype(float), _shape_of(template.astype(float))
    starts = range(x.size - template.size + 1)
    scores = [_shape_of(signal[start : start + template.size]).cosine(wanted) for start in starts]
    return np.array(scores, common_dtype(x, template))


def output_size(size, kernel_size, *, stride=1, padding=0, dilation=1):
    return Axis(size, kernel_size, stride, padding, dilation).windows


def pad2d(x, padding, mode="zeros"):
    ph, pw = both(padding)
    height, width = x.shape[-2:]
    y = np.zeros((*x.shape[:-2], height + 2 * ph, width + 2 * pw), x.dtype)
    rows, columns = slice(ph, ph + height), slice(pw, pw + width)
    y[..., rows, columns] = x
    if mode == "replicate":
        y[..., :ph, columns], y[..., ph + height :, columns] = x[..., :1, :], x[..., -1:, :]
        y[..., :pw], y[..., pw + width :] = y[..., pw, None], y[..., pw + width - 1, None]
    elif mode == "reflect":
        if ph >= height or pw >= width:
            raise ValueError("Nothing to mirror.")
        y[..., :ph, columns] = x[..., ph:0:-1, :]
        y[..., ph + height :, columns] = x[..., height - 2 :: -1, :][..., :ph, :] if ph else x[..., :0, :]
        y[..., :pw] = y[..., 2 * pw : pw : -1]
        y[..., pw + width :] = y[..., pw + width - 1 - np.arange(1, pw + 1)]
    elif mode != "zeros":
        raise ValueError(f"There is no mode {mode}.")
    return y


def window_coverage(size, kernel_size, *, stride=1, padding=0):
    plane = Plane.of(size, kernel_size, stride, padding)
    counts = np.zeros(plane.padded, np.int64)
    for _, _, seen in plane.places():
        counts[seen] += 1
    return counts[plane.inside]


@in_common_precision
def correlate2d(x, w):
    return sum(w[u, v] * x[seen] for u, v, seen in Plane.of(x.shape, w.shape).places())


def make_kernel(name, size=3, sigma=1.0):
    if name not in kernels.Kernel.registry:
        raise ValueError(f"There is no kernel named {name}.")
    return kernels.Kernel.registry[name](size, sigma).weights()


def filter_image(image, kernel, *, mode="replicate"):
    if any(k % 2 == 0 for k in kernel.shape):
        raise ValueError("The kernel has no centre.")
    kh, kw = kernel.shape
    response = np.empty(image.shape)
    for channel in np.ndindex(image.shape[2:]):  # the empty tuple, for a grey image
        where = (slice(None), slice(None), *channel)
        response[where] = correlate2d(pad2d(image[where], (kh // 2, kw // 2), mode), kernel.astype(float))
    return np.rint(response).clip(0, 255).astype(np.uint8)


@in_common_precision
def conv2d_forward(x, w, b, *, stride=1, padding=0):
    return Layer(w, stride, padding).forward(x, b)


@in_common_precision
def conv2d_backward(dy, x, w, *, stride=1, padding=0):
    return Layer(w, stride, padding).backward(dy, x)


def im2col(x, kernel_size, *, stride=1, padding=0):
    plane = Plane.of(x.shape[2:], kernel_size, stride, padding)
    xp = pad2d(x, padding)
    cols = np.empty((*x.shape[:2], plane.rows.kernel, plane.columns.kernel, *plane.shape), x.dtype)
    for u, v, seen in plane.places():
        cols[:, :, u, v] = xp[(..., *seen)]
    return cols.reshape(len(x), -1, plane.rows.windows * plane.columns.windows)


@in_common_precision
def conv2d_im2col(x, w, b, *, stride=1, padding=0):
    if x.shape[1] != w.shape[1]:
        raise ValueError("The channels differ.")
    plane = Plane.of(x.shape[2:], w.shape[2:], stride, padding)
    cols = im2col(x, w.shape[2:], stride=stride, padding=padding)
    return (w.reshape(len(w), -1) @ cols + b[:, None]).reshape(len(x), len(w), *plane.shape)


def conv2d_parameter_count(in_channels, out_channels, kernel_size, bias=True):
    kh, kw = both(kernel_size)
    return linear_parameter_count(in_channels * kh * kw, out_channels, bias)


def linear_parameter_count(in_features, out_features, bias=True):
    return (in_features + (1 if bias else 0)) * out_features


class _Student:
    """A kernel that learns."""

    def __init__(self, x, y, kernel_size):
        self.x, self.y = x, y
        self.w = np.zeros(both(kernel_size), x.dtype)

    def loss_and_slope(self):
        error = correlate2d(self.x, self.w) - self.y
        return (error**2).mean(), correlate2d(self.x, error) * 2 / error.size

    def learn(self, lr, steps):
        for _ in range(steps):
            loss, slope = self.loss_and_slope()
            yield loss
            self.w -= lr * slope


@in_common_precision
def learn_kernel(x, y, kernel_size, *, lr, steps):
    student = _Student(x, y, kernel_size)
    losses = np.array(list(student.learn(float(lr), steps)), x.dtype)
    return student.w, losses


@in_common_precision
def col2im(cols, size, kernel_size, *, stride=1, padding=0):
    plane = Plane.of(size, kernel_size, stride, padding)
    channels = cols.shape[1] // (plane.rows.kernel * plane.columns.kernel)
    pieces = cols.reshape(len(cols), channels, plane.rows.kernel, plane.columns.kernel, *plane.shape)
    xp = np.zeros((len(cols), channels, *plane.padded), cols.dtype)
    for u, v, seen in plane.places():
        xp[(..., *seen)] += pieces[:, :, u, v]
    return xp[(..., *plane.inside)]
