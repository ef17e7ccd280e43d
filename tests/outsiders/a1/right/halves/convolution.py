"""Assignment 1: convolution and kernels, in NumPy."""
# This file is yours: put your code where it raises NotImplementedError, then run "python -m checks".

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from jaxtyping import Float, Int64, Real, UInt8

from dataclasses import dataclass
from functools import lru_cache, reduce

Pair = int | tuple[int, int]
Signal = Float[np.ndarray, " length"]


@dataclass(frozen=True)
class Axis:
    """One axis of a sliding window: everything that is asked about it is answered here."""

    samples: int
    window: int
    step: int = 1
    rim: int = 0
    spread: int = 1

    @property
    def span(self):
        return (self.window - 1) * self.spread + 1

    @property
    def count(self):
        starts = range(0, self.samples + 2 * self.rim - self.span + 1, self.step)
        if not len(starts):
            raise ValueError(f"a window of {self.span} does not fit into {self.samples} + 2 * {self.rim}")
        return len(starts)

    def gather(self):
        """index[place in the window, window] into the padded axis."""
        return np.add.outer(np.arange(self.window) * self.spread, np.arange(self.count) * self.step)

def both(number_or_pair):
    a, b = np.broadcast_to(number_or_pair, 2).tolist()
    return a, b

def axes_of(size, kernel_size, stride=1, padding=0):
    return tuple(map(Axis, both(size), both(kernel_size), both(stride), both(padding)))

def real(*arrays):
    return np.result_type(*(np.float64 if np.issubdtype(a.dtype, np.integer) else a.dtype for a in arrays))

def _halve(x, h, dtype):
    """Convolution by halving the longer signal: recursion down to a single sample."""
    if len(x) < len(h):
        return _halve(h, x, dtype)
    if len(x) == 1:
        return np.multiply(x, h, dtype=dtype)
    middle = len(x) // 2
    out = np.zeros(len(x) + len(h) - 1, dtype)
    left, right = _halve(x[:middle], h, dtype), _halve(x[middle:], h, dtype)
    out[: len(left)] = left
    out[middle:] += right
    return out

def _sizes():
    return np.geomspace(0.01, 100, 41)

def _unequal(a, b):
    return bool(np.linalg.norm(a - b, np.inf) > 1e-8 * max(np.linalg.norm(a, np.inf), np.linalg.norm(b, np.inf)))

def _blocks(x, kernel_size, stride, padding):
    """[n, c, u, v, i, j]"""
    rows, columns = axes_of(x.shape[2:], kernel_size, stride, padding)
    return pad2d(x, padding)[:, :, rows.gather()[:, None, :, None], columns.gather()[None, :, None, :]]


def convolve(x: Real[np.ndarray, " n"], h: Real[np.ndarray, " m"]) -> Float[np.ndarray, " n+m-1"]:
    if not (x.size and h.size):
        raise ValueError("empty")
    dtype = real(x, h)
    return _halve(x.astype(dtype), h.astype(dtype), dtype)


def cross_correlate(x: Real[np.ndarray, " n"], h: Real[np.ndarray, " m"]) -> Float[np.ndarray, " n-m+1"]:
    if h.size > x.size:
        raise ValueError("h does not fit")
    dtype = real(x, h)
    places = Axis(x.size, h.size).gather()
    return np.take(x.astype(dtype), places).T @ h.astype(dtype)


def convolution_matrix(h: Real[np.ndarray, " m"], n: int) -> Float[np.ndarray, "n+m-1 n"]:
    difference = np.subtract.outer(np.arange(n + h.size - 1), np.arange(n))
    inside = (difference >= 0) & (difference < h.size)
    return np.where(inside, h[difference.clip(0, h.size - 1)], 0).astype(real(h))


def impulse_response(system: Callable[[Signal], Signal], length: int) -> Signal:
    return system(np.eye(1, length)[0])


def is_linear(system: Callable[[Signal], Signal], length: int, *, rng: np.random.Generator) -> bool:
    def contradicts(size):
        u, v = size * rng.standard_normal((2, length))
        a, b = rng.uniform(-2, 2, 2)
        su, sv, sum_, mixed = [system(signal).copy() for signal in (u, v, u + v, a * u + b * v)]
        return (
            _unequal(sum_, su + sv)
            or _unequal(system(a * u).copy(), a * su)
            or _unequal(system(-u).copy(), -su)
            or _unequal(mixed, a * su + b * sv)
        )

    return not any(contradicts(size) for _ in range(4) for size in _sizes())


def is_time_invariant(system: Callable[[Signal], Signal], length: int, *, rng: np.random.Generator) -> bool:
    def contradicts(size, delay):
        signal = size * rng.standard_normal(length - delay)
        early, late = np.zeros((2, length))
        early[: length - delay] = late[delay:] = signal
        return _unequal(system(late).copy()[delay:], system(early).copy()[: length - delay])

    return not any(contradicts(size, k) for size in _sizes() for k in range(1, length) for _ in range(2))


def cosine_similarity(a: Real[np.ndarray, " n"], b: Real[np.ndarray, " n"]) -> float:
    def unit(vector):
        vector = np.asarray(vector, np.float64)
        length = np.hypot.reduce(vector)
        return vector / length if length else vector * 0

    return np.vdot(unit(a), unit(b))


def match_template(x: Real[np.ndarray, " n"], template: Real[np.ndarray, " m"]) -> Float[np.ndarray, " n-m+1"]:
    if template.size > x.size:
        raise ValueError("the template does not fit")
    windows = np.asarray(x, np.float64)[Axis(x.size, template.size).gather()]  # a column is a window

    def polished(columns):
        columns = columns - columns[:1]
        largest = np.abs(columns).max(0)
        columns = columns / np.where(largest, largest, 1)
        columns = columns - columns.mean(0)
        length = np.linalg.norm(columns, axis=0)
        return columns / np.where(largest, length, 1)

    scores = np.einsum("mi,mj->i", polished(windows), polished(np.asarray(template, np.float64)[:, None]))
    return scores.astype(real(x, template))


def output_size(size: int, kernel_size: int, *, stride: int = 1, padding: int = 0, dilation: int = 1) -> int:
    return Axis(size, kernel_size, stride, padding, dilation).count


def pad2d(
    x: Real[np.ndarray, "... H W"], padding: Pair, mode: Literal["zeros", "replicate", "reflect"] = "zeros"
) -> Real[np.ndarray, "... H+2*ph W+2*pw"]:
    def one_axis(image, rim):
        """Pads the last axis, a sample on each side at a time."""
        if not rim:
            return image
        n = image.shape[-1]
        if mode == "reflect":
            if rim >= n:
                raise ValueError("no sample to mirror")
            return np.concatenate([image[..., rim:0:-1], image, np.flip(image, -1)[..., 1 : rim + 1]], -1)
        left, right = image[..., :1], image[..., -1:]
        if mode == "zeros":
            left = right = np.zeros_like(left)
        return np.concatenate([np.repeat(left, rim, -1), image, np.repeat(right, rim, -1)], -1)

    ph, pw = both(padding)
    if mode == "reflect" and (ph >= x.shape[-2] or pw >= x.shape[-1]):
        raise ValueError("no sample to mirror")
    return one_axis(one_axis(x, pw).swapaxes(-1, -2), ph).swapaxes(-1, -2)


def window_coverage(size: Pair, kernel_size: Pair, *, stride: Pair = 1, padding: Pair = 0) -> Int64[np.ndarray, "H W"]:
    def line(axis):
        seen = np.bincount(axis.gather().ravel(), minlength=axis.samples + 2 * axis.rim)
        return seen[axis.rim : axis.rim + axis.samples].astype(np.int64)

    rows, columns = map(line, axes_of(size, kernel_size, stride, padding))
    return rows[:, None] * columns


def correlate2d(x: Real[np.ndarray, "H W"], w: Real[np.ndarray, "kh kw"]) -> Float[np.ndarray, "H-kh+1 W-kw+1"]:
    dtype = real(x, w)
    rows, columns = axes_of(x.shape, w.shape)
    blocks = x.astype(dtype)[rows.gather()[:, None, :, None], columns.gather()[None, :, None, :]]
    return np.tensordot(w.astype(dtype), blocks, 2)


def make_kernel(
    name: Literal["identity", "edge", "laplacian", "sharpen", "box", "gaussian"], size: int = 3, sigma: float = 1.0
) -> Float[np.ndarray, "size size"]:
    r = size // 2
    if size < 3 or size % 2 != 1:
        raise ValueError("odd, from 3")
    v, u = np.mgrid[-r : r + 1, -r : r + 1]
    identity = 1.0 * ((u == 0) & (v == 0))
    kernels = {
        "identity": lambda: identity,
        "edge": lambda: size**2 * identity - np.ones_like(identity),
        "box": lambda: np.ones_like(identity) / size**2,
        "gaussian": lambda: (lambda g: g / g.sum())(np.exp(-0.5 * np.square(np.hypot(u, v) / sigma))),
    }
    if size == 3:
        laplacian = np.select([abs(u) + abs(v) == 0, abs(u) + abs(v) == 1], [4.0, -1.0], 0.0)
        kernels |= {"laplacian": lambda: laplacian, "sharpen": lambda: identity + laplacian}
    if name not in kernels:
        raise ValueError("no such kernel of this size")
    return kernels[name]()


def filter_image(
    image: UInt8[np.ndarray, "H W"] | UInt8[np.ndarray, "H W 3"],
    kernel: Real[np.ndarray, "kh kw"],
    *,
    mode: Literal["zeros", "replicate", "reflect"] = "replicate",
) -> UInt8[np.ndarray, "H W"] | UInt8[np.ndarray, "H W 3"]:
    if not all(side % 2 for side in kernel.shape):
        raise ValueError("no centre")
    if image.ndim == 3:
        return np.dstack([filter_image(channel, kernel, mode=mode) for channel in np.moveaxis(image, 2, 0)])
    half = tuple(side // 2 for side in kernel.shape)
    response = correlate2d(pad2d(image, half, mode).astype(np.float64), kernel.astype(np.float64))
    return np.minimum(np.maximum(np.round(response), 0), 255).astype(np.uint8)


def conv2d_forward(
    x: Float[np.ndarray, "N C H W"],
    w: Float[np.ndarray, "F C kh kw"],
    b: Float[np.ndarray, " F"],
    *,
    stride: Pair = 1,
    padding: Pair = 0,
) -> Float[np.ndarray, "N F Ho Wo"]:
    if x.shape[1] != w.shape[1]:
        raise ValueError("channels")
    y = np.tensordot(_blocks(x, w.shape[2:], stride, padding), w, ((1, 2, 3), (1, 2, 3))) + b
    return np.moveaxis(y, 3, 1)


def conv2d_backward(
    dy: Float[np.ndarray, "N F Ho Wo"],
    x: Float[np.ndarray, "N C H W"],
    w: Float[np.ndarray, "F C kh kw"],
    *,
    stride: Pair = 1,
    padding: Pair = 0,
) -> tuple[Float[np.ndarray, "N C H W"], Float[np.ndarray, "F C kh kw"], Float[np.ndarray, " F"]]:
    (sh, sw), (ph, pw) = both(stride), both(padding)
    (N, C, H, W), (F, _, kh, kw), (_, _, Ho, Wo) = x.shape, w.shape, dy.shape
    dw = np.tensordot(dy, _blocks(x, (kh, kw), stride, padding), ((0, 2, 3), (0, 4, 5)))
    # dy with the gaps that the stride makes, and a rim as wide as the kernel: then a correlation with the turned kernel
    wide = np.zeros((N, F, H + 2 * ph + kh - 1, W + 2 * pw + kw - 1), dy.dtype)
    wide[:, :, kh - 1 :: sh, kw - 1 :: sw][:, :, :Ho, :Wo] = dy
    turned = w[:, :, ::-1, ::-1].swapaxes(0, 1)
    dxp = np.moveaxis(np.tensordot(_blocks(wide, (kh, kw), 1, 0), turned, ((1, 2, 3), (1, 2, 3))), 3, 1)
    return dxp[:, :, ph : ph + H, pw : pw + W], dw, np.einsum("nfij->f", dy)


def im2col(
    x: Real[np.ndarray, "N C H W"], kernel_size: Pair, *, stride: Pair = 1, padding: Pair = 0
) -> Real[np.ndarray, "N C*kh*kw L"]:
    blocks = _blocks(x, both(kernel_size), stride, padding)
    N, C, kh, kw, Ho, Wo = blocks.shape
    return blocks.reshape(N, C * kh * kw, Ho * Wo)


def conv2d_im2col(
    x: Float[np.ndarray, "N C H W"],
    w: Float[np.ndarray, "F C kh kw"],
    b: Float[np.ndarray, " F"],
    *,
    stride: Pair = 1,
    padding: Pair = 0,
) -> Float[np.ndarray, "N F Ho Wo"]:
    if x.shape[1] != w.shape[1]:
        raise ValueError("channels")
    rows, columns = axes_of(x.shape[2:], w.shape[2:], stride, padding)
    y = np.matmul(w.reshape(len(w), -1), im2col(x, w.shape[2:], stride=stride, padding=padding))
    return (y + b.reshape(-1, 1)).reshape(len(x), len(w), rows.count, columns.count)


def conv2d_parameter_count(in_channels: int, out_channels: int, kernel_size: Pair, bias: bool = True) -> int:
    weights = reduce(lambda a, b: a * b, (in_channels, out_channels, *both(kernel_size)))
    return weights + out_channels if bias else weights


def linear_parameter_count(in_features: int, out_features: int, bias: bool = True) -> int:
    return conv2d_parameter_count(in_features, out_features, 1, bias)


def learn_kernel(
    x: Float[np.ndarray, "H W"], y: Float[np.ndarray, "H-kh+1 W-kw+1"], kernel_size: Pair, *, lr: float, steps: int
) -> tuple[Float[np.ndarray, "kh kw"], Float[np.ndarray, " steps"]]:
    rows, columns = axes_of(x.shape, kernel_size)
    A = x[rows.gather()[:, None, :, None], columns.gather()[None, :, None, :]]
    A = A.reshape(rows.window * columns.window, -1)

    def go(w, losses):
        for _ in range(steps):
            residual = w @ A - y.reshape(-1)
            losses.append(residual @ residual / residual.size)
            w = w - lr * (2 * (A @ residual) / residual.size)
        return w, losses

    w, losses = go(np.zeros(len(A), x.dtype), [])
    return w.reshape(rows.window, columns.window), np.array(losses, x.dtype)


def col2im(
    cols: Float[np.ndarray, "N C*kh*kw L"], size: Pair, kernel_size: Pair, *, stride: Pair = 1, padding: Pair = 0
) -> Float[np.ndarray, "N C H W"]:
    rows, columns = axes_of(size, kernel_size, stride, padding)
    blocks = cols.reshape(len(cols), -1, rows.window, columns.window, rows.count, columns.count)
    out = np.zeros((*blocks.shape[:2], rows.samples + 2 * rows.rim, columns.samples + 2 * columns.rim), cols.dtype)
    place = (slice(None), slice(None), rows.gather()[:, None, :, None], columns.gather()[None, :, None, :])
    np.add.at(out, place, blocks)
    return out[:, :, rows.rim : rows.rim + rows.samples, columns.rim : columns.rim + columns.samples]
