"""Index tables and scattering: a Geometry says where windows lie, np.add.at and take do the rest; recursion for 1-D."""
from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np


class Pairs:
    """Rows and columns."""

    def __init__(self, value):
        self.rows, self.columns = value if isinstance(value, tuple) else (value, value)

    def __iter__(self):
        return iter((self.rows, self.columns))


def dtype_of(*arrays):
    return reduce(lambda known, a: known if a.dtype == np.float32 else np.dtype(np.float64), arrays, np.dtype(np.float32))


@dataclass(frozen=True)
class Axis:
    """The windows along one axis."""

    size: int
    kernel: int
    stride: int
    padding: int
    dilation: int = 1

    @property
    def count(self):
        left = self.size + 2 * self.padding - self.dilation * (self.kernel - 1)
        if left < 1:
            raise ValueError("the window is larger than the padded axis")
        return -(-left // self.stride)

    @cached_property
    def table(self):
        """table[u, i]: the sample, counted in the axis with padding."""
        return np.add.outer(self.dilation * np.arange(self.kernel), self.stride * np.arange(self.count))


@dataclass(frozen=True)
class Geometry:
    down: Axis
    across: Axis

    @staticmethod
    def of(size, kernel, stride, padding):
        rows, columns = zip(Pairs(size), Pairs(kernel), Pairs(stride), Pairs(padding))
        return Geometry(Axis(*rows), Axis(*columns))

    @property
    def flat(self):
        """flat[u, v, i, j]: the pixel in the padded image, counted row by row."""
        width = self.across.size + 2 * self.across.padding
        return self.down.table[:, None, :, None] * width + self.across.table[None, :, None, :]

    @property
    def padded(self):
        return self.down.size + 2 * self.down.padding, self.across.size + 2 * self.across.padding

    @property
    def counts(self):
        return self.down.count, self.across.count

    def crop(self, xp):
        p, q = self.down.padding, self.across.padding
        return xp[..., p : p + self.down.size, q : q + self.across.size]


def convolve(x, h):
    if min(x.shape + h.shape) == 0:
        raise ValueError("a signal is empty")
    dtype = dtype_of(x, h)
    y = np.zeros(x.size + h.size - 1, dtype)
    np.add.at(y, np.add.outer(np.arange(x.size), np.arange(h.size)), np.multiply.outer(x.astype(dtype), h.astype(dtype)))
    return y


def cross_correlate(x, h):
    if x.size < h.size:
        raise ValueError("the template is longer")
    whole = convolve(x, h[::-1])
    return whole[h.size - 1 : x.size]


def convolution_matrix(h, n):
    rows = np.arange(h.size)[:, None] + np.arange(n)
    matrix = np.zeros((h.size + n - 1, n), dtype_of(h))
    np.put_along_axis(matrix, rows, np.repeat(h[:, None].astype(matrix.dtype), n, axis=1), axis=0)
    return matrix


def impulse_response(system, length):
    return np.asarray(system(np.concatenate([[1.0], np.zeros(length - 1)])), np.float64)


class Laboratory:
    """Sends signals of many sizes through a system and compares what comes out."""

    def __init__(self, system, length, rng):
        self.system, self.length, self.rng = system, length, rng

    def signals(self, length):
        for exponent in range(-16, 17):
            size = 10.0 ** (exponent / 8)
            yield size * np.sign(self.rng.standard_normal(length))
            yield size * self.rng.random(length)
            yield -size * self.rng.random(length)
            yield size * (2 * self.rng.random(length) - 1)

    def agree(self, *outputs):
        first, second, *_ = outputs
        return np.max(np.abs(first - second), initial=0) <= 1e-10 * max(np.max(np.abs(y), initial=0) for y in outputs)

    def linear(self):
        previous = np.ones(self.length)
        for u in self.signals(self.length):
            size = np.abs(u).max()
            for v in (previous, size * np.sign(self.rng.standard_normal(self.length)), size * self.rng.random(self.length)):
                su, sv = self.system(u.copy()), self.system(v.copy())
                if not self.agree(self.system(u + v), su + sv, su, sv):
                    return False
            for factor in (-1.0, 0.0, 0.1, 3.0):
                if not self.agree(self.system(factor * u), factor * su, su):
                    return False
            previous = u
        return True

    def invariant(self):
        for delay in range(1, self.length):
            rest = np.zeros(delay)
            for signal in self.signals(self.length - delay):
                late = self.system(np.concatenate([rest, signal]))[delay:]
                if not self.agree(late, self.system(np.concatenate([signal, rest]))[: self.length - delay]):
                    return False
        return True


def is_linear(system, length, *, rng):
    return Laboratory(system, length, rng).linear()


def is_time_invariant(system, length, *, rng):
    return Laboratory(system, length, rng).invariant()


def _direction(v):
    """The vector, scaled so that its largest entry is 1; the zero vector as it is."""
    v = v.astype(np.float64)
    largest = np.max(np.abs(v), axis=-1, keepdims=True, initial=0)
    return v / np.where(largest == 0, 1, largest)


def cosine_similarity(a, b):
    a, b = _direction(a), _direction(b)
    square = float(np.dot(a, a)) * float(np.dot(b, b))
    return float(np.dot(a, b)) / square**0.5 if square else 0.0


def match_template(x, template):
    n, m = x.size, template.size
    if m > n:
        raise ValueError("the template is longer")
    result = np.zeros(n - m + 1, dtype_of(x, template))
    wide, t = x.astype(np.float64), template.astype(np.float64)
    if (t == t[0]).all():
        return result
    t = t - t[0]
    t = _direction(t - t.mean())
    table = wide.take(np.add.outer(np.arange(n - m + 1), np.arange(m)))
    alive = np.flatnonzero((table != table[:, :1]).any(axis=1))
    table = table[alive]
    table = table - table[:, :1]
    table = _direction(table - table.mean(axis=1, keepdims=True))
    result[alive] = (table * t).sum(axis=1) / np.sqrt((table * table).sum(axis=1) * (t * t).sum())
    return result


def output_size(size, kernel_size, *, stride=1, padding=0, dilation=1):
    return Axis(size, kernel_size, stride, padding, dilation).count


def pad2d(x, padding, mode="zeros"):
    """One side after the other: a frame of width p is a frame of width 1 around a frame of width p - 1."""
    ph, pw = Pairs(padding)
    if mode == "reflect" and (ph >= x.shape[-2] or pw >= x.shape[-1]):
        raise ValueError("nothing to mirror")

    def grow(lines, times, axis, inside):
        if times == 0:
            return lines
        last = lines.shape[axis] - 1
        if mode == "reflect":
            before, after = 2 * inside + 1, last - 2 * inside - 1
        else:
            before, after = 0, last
        top = np.take(lines, [before], axis=axis)
        bottom = np.take(lines, [after], axis=axis)
        if mode == "zeros":
            top, bottom = np.zeros_like(top), np.zeros_like(bottom)
        return grow(np.concatenate([top, lines, bottom], axis=axis), times - 1, axis, inside + 1)

    return grow(grow(x, ph, x.ndim - 2, 0), pw, x.ndim - 1, 0)


def window_coverage(size, kernel_size, *, stride=1, padding=0):
    g = Geometry.of(size, kernel_size, stride, padding)
    seen = np.bincount(g.flat.ravel(), minlength=g.padded[0] * g.padded[1]).astype(np.int64)
    return g.crop(seen.reshape(g.padded))


def correlate2d(x, w):
    dtype = dtype_of(x, w)
    g = Geometry.of(x.shape, w.shape, 1, 0)
    return np.tensordot(w.astype(dtype), x.astype(dtype).ravel()[g.flat], axes=2)


class Kernels:
    @staticmethod
    def identity(size, sigma):
        return Kernels.at_centre(size, 1.0)

    @staticmethod
    def edge(size, sigma):
        return Kernels.at_centre(size, float(size * size)) - 1.0

    @staticmethod
    def laplacian(size, sigma):
        k = Kernels.at_centre(size, 4.0)
        k[[0, 1, 1, 2], [1, 0, 2, 1]] = -1
        return k

    @staticmethod
    def sharpen(size, sigma):
        return Kernels.identity(size, sigma) + Kernels.laplacian(size, sigma)

    @staticmethod
    def box(size, sigma):
        return np.full((size, size), 1.0 / size**2)

    @staticmethod
    def gaussian(size, sigma):
        u, v = np.indices((size, size)) - size // 2
        k = np.exp(-0.5 * np.hypot(u / sigma, v / sigma) ** 2)
        return k / k.sum()

    @staticmethod
    def at_centre(size, value):
        k = np.zeros((size, size))
        k.flat[k.size // 2] = value
        return k


def make_kernel(name, size=3, sigma=1.0):
    known = ("identity", "edge", "laplacian", "sharpen", "box", "gaussian")
    if size not in range(3, size + 1, 2) or name not in known or (name in known[2:4] and size != 3):
        raise ValueError(f"there is no {name} of size {size}")
    return getattr(Kernels, name)(size, sigma)


def filter_image(image, kernel, *, mode="replicate"):
    if not all(side % 2 for side in kernel.shape):
        raise ValueError("the kernel has no centre")
    if image.ndim == 3:
        return np.dstack([filter_image(plane, kernel, mode=mode) for plane in image.transpose(2, 0, 1)])
    half = tuple(side // 2 for side in kernel.shape)
    return np.clip(np.rint(correlate2d(pad2d(image, half, mode), kernel)), 0, 255).astype(np.uint8)


def _geometry(x, w, stride, padding):
    if x.shape[1] != w.shape[1]:
        raise ValueError("x and w differ in their channels")
    return Geometry.of(x.shape[2:], w.shape[2:], stride, padding)


def conv2d_forward(x, w, b, *, stride=1, padding=0):
    dtype = dtype_of(x, w, b)
    g = _geometry(x, w, stride, padding)
    xp = pad2d(x, (g.down.padding, g.across.padding)).astype(dtype)
    y = np.tensordot(xp.reshape(*xp.shape[:2], -1)[:, :, g.flat], w.astype(dtype), axes=([1, 2, 3], [1, 2, 3]))
    return np.moveaxis(y + b.astype(dtype), 3, 1)


def conv2d_backward(dy, x, w, *, stride=1, padding=0):
    dtype = dtype_of(dy, x, w)
    dy, x, w = (a.astype(dtype) for a in (dy, x, w))
    g = _geometry(x, w, stride, padding)
    xp = pad2d(x, (g.down.padding, g.across.padding))
    shares = np.tensordot(w, dy, axes=([0], [1]))  # C kh kw N Ho Wo
    dxp = np.zeros((xp.shape[2] * xp.shape[3], len(x), x.shape[1]), dtype)
    np.add.at(dxp, g.flat, shares.transpose(1, 2, 4, 5, 3, 0))
    dx = g.crop(dxp.transpose(1, 2, 0).reshape(xp.shape))
    dw = np.tensordot(dy, xp.reshape(*xp.shape[:2], -1)[:, :, g.flat], axes=([0, 2, 3], [0, 4, 5]))
    return dx, dw, dy.sum(axis=(0, 2, 3))


def im2col(x, kernel_size, *, stride=1, padding=0):
    g = Geometry.of(x.shape[2:], kernel_size, stride, padding)
    table = g.flat.reshape(g.down.kernel * g.across.kernel, -1)
    xp = pad2d(x, (g.down.padding, g.across.padding))
    cols = xp.reshape(*xp.shape[:2], xp.shape[2] * xp.shape[3])[:, :, table]
    return cols.reshape(len(x), x.shape[1] * table.shape[0], table.shape[1])


def conv2d_im2col(x, w, b, *, stride=1, padding=0):
    dtype = dtype_of(x, w, b)
    g = _geometry(x, w, stride, padding)
    cols = im2col(x.astype(dtype), tuple(w.shape[2:]), stride=stride, padding=padding)
    matrix = np.column_stack([w.reshape(len(w), -1), b]).astype(dtype)  # the bias is the weight of a row of ones
    ones = np.ones((len(x), 1, cols.shape[2]), dtype)
    return np.matmul(matrix, np.concatenate([cols, ones], axis=1)).reshape(len(x), len(w), *g.counts)


def conv2d_parameter_count(in_channels, out_channels, kernel_size, bias=True):
    rows, columns = Pairs(kernel_size)
    return linear_parameter_count(in_channels * rows * columns, out_channels, bias)


def linear_parameter_count(in_features, out_features, bias=True):
    return in_features * out_features + (out_features if bias else 0)


class Learner:
    def __init__(self, x, y, size):
        self.x, self.y, self.w = x, y, np.zeros(size, x.dtype)

    def step(self, lr):
        error = correlate2d(self.x, self.w) - self.y
        loss = np.vdot(error, error) / error.size
        self.w = self.w - correlate2d(self.x, error) * (2 * lr / error.size)
        return loss


def learn_kernel(x, y, kernel_size, *, lr, steps):
    dtype = dtype_of(x, y)
    learner = Learner(x.astype(dtype), y.astype(dtype), tuple(Pairs(kernel_size)))
    losses = np.fromiter((learner.step(lr) for _ in range(steps)), dtype, count=steps)
    return learner.w, losses


def col2im(cols, size, kernel_size, *, stride=1, padding=0):
    g = Geometry.of(size, kernel_size, stride, padding)
    cells = g.down.kernel * g.across.kernel
    blocks = cols.astype(dtype_of(cols)).reshape(len(cols), -1, cells * cols.shape[2])
    xp = np.zeros((g.padded[0] * g.padded[1], *blocks.shape[:2]), blocks.dtype)
    np.add.at(xp, g.flat.ravel(), blocks.transpose(2, 0, 1))
    return g.crop(xp.transpose(1, 2, 0).reshape(*blocks.shape[:2], *g.padded))
