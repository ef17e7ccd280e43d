"""Recursion, closures, generators, match statements and exact sums (math.fsum); plain lists for signals."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial, reduce
from itertools import islice, product
from operator import mul
from typing import NamedTuple

import numpy as np


def _both(p):
    match p:
        case (a, b) | [a, b]:
            return a, b
        case number:
            return number, number


def _kind(*arrays):
    return np.float32 if {a.dtype for a in arrays} == {np.dtype(np.float32)} else np.float64


def _full(x: list[float], h: list[float]) -> list[float]:
    """Halve the second signal until one number is left."""
    if len(h) == 1:
        return [h[0] * sample for sample in x]
    half = len(h) // 2
    early, late = _full(x, h[:half]), _full(x, h[half:])
    zeros = [0.0] * half
    return [a + b for a, b in zip(early + [0.0] * (len(h) - half), zeros + late, strict=True)]


def convolve(x, h):
    match len(x), len(h):
        case (0, _) | (_, 0):
            raise ValueError("empty")
    return np.array(_full(x.astype(float).tolist(), h.astype(float).tolist()), dtype=_kind(x, h))


def _windows(samples: list[float], m: int) -> Iterator[list[float]]:
    yield from (samples[i : i + m] for i in range(len(samples) - m + 1))


def _inner(a, b):
    return math.fsum(map(mul, a, b))


def cross_correlate(x, h):
    if len(h) > len(x):
        raise ValueError("h is longer than x")
    weigh = partial(_inner, h.astype(float).tolist())
    return np.fromiter(map(weigh, _windows(x.astype(float).tolist(), len(h))), _kind(x, h))


def convolution_matrix(h, n):
    rows = [[0.0] * n for _ in range(n + len(h) - 1)]
    for k, (lag, weight) in product(range(n), enumerate(h.tolist())):
        rows[k + lag][k] = weight
    return np.array(rows, dtype=_kind(h))


def impulse_response(system, length):
    return system((np.arange(length) == 0) * 1.0)


def _experiments(length, rng):
    sizes = (10.0**e for e in np.linspace(-2, 2, 41))
    for size in sizes:
        yield from (size * s for s in (rng.standard_normal(length), rng.uniform(-1, 1, length), rng.uniform(0.2, 1, length)))
    for _ in range(50):
        yield np.exp(rng.uniform(np.log(0.01), np.log(100), length)) * (2.0 * rng.integers(0, 2, length) - 1)


def _peak(*arrays):
    return max(float(np.max(np.abs(a))) for a in arrays)


def is_linear(system, length, *, rng):
    """A linear system is the matrix of its answers to impulses, and nothing more."""
    answers = np.stack([system(row) for row in np.identity(length)])

    def obeys(u):
        answer, want = system(u.copy()), u @ answers
        return _peak(answer - want) <= 1e-8 * _peak(answer, u[:, None] * answers)

    return not system(np.zeros(length)).any() and all(map(obeys, _experiments(length, rng)))


def is_time_invariant(system, length, *, rng):
    def obeys(x, k):
        head, rest = x[:-k], np.zeros(k)
        first, second = system(np.concatenate([head, rest]))[:-k], system(np.concatenate([rest, head]))[k:]
        return _peak(first - second) <= 1e-8 * _peak(first, second)

    return all(obeys(x, k) for x in _experiments(length, rng) for k in (1, 2, 3))


def cosine_similarity(a, b):
    p, q = a.astype(float).tolist(), b.astype(float).tolist()
    match math.hypot(*p), math.hypot(*q):
        case (0.0, _) | (_, 0.0):
            return 0.0
        case r, s:
            return _inner([v / r for v in p], [v / s for v in q])


def _shape_of(samples: list[float]) -> list[float]:
    """What is left of some samples without their mean, at length 1; zeros if they are all equal."""
    first, *others = samples
    if all(sample == first for sample in others):
        return [0.0] * len(samples)
    low = [sample - first for sample in samples]
    mean = math.fsum(low) / len(low)
    rest = [sample - mean for sample in low]
    length = math.hypot(*rest)
    return [sample / length for sample in rest]


def match_template(x, template):
    if len(template) > len(x):
        raise ValueError("the template is longer than x")
    compare = partial(_inner, _shape_of(template.astype(float).tolist()))
    shapes = map(_shape_of, _windows(x.astype(float).tolist(), len(template)))
    return np.array([*map(compare, shapes)], dtype=_kind(x, template))


def output_size(size, kernel_size, *, stride=1, padding=0, dilation=1):
    match size + 2 * padding - dilation * (kernel_size - 1):
        case starts if starts > 0:
            return -(-starts // stride)
    raise ValueError("not one window fits")


def pad2d(x, padding, mode="zeros"):
    pads = _both(padding)
    if mode == "reflect" and any(p >= n for p, n in zip(pads, x.shape[-2:])):
        raise ValueError("nothing to mirror")

    def along(array, axis_and_pad):
        axis, p = axis_and_pad
        a = np.moveaxis(array, axis, 0)
        match mode:
            case "zeros":
                before = after = np.zeros((p, *a.shape[1:]), a.dtype)
            case "replicate":
                before, after = np.repeat(a[:1], p, axis=0), np.repeat(a[-1:], p, axis=0)
            case "reflect":
                before, after = a[1 : p + 1][::-1], a[len(a) - 1 - p : len(a) - 1][::-1]
        return np.moveaxis(np.concatenate([before, a, after]), 0, axis)

    return reduce(along, zip((-2, -1), pads), x)


def window_coverage(size, kernel_size, *, stride=1, padding=0):
    def axis(n, k, s, p):
        starts = range(-p, -p + s * output_size(n, k, stride=s, padding=p), s)
        return [sum(start <= at < start + k for start in starts) for at in range(n)]

    rows, columns = map(axis, *map(_both, (size, kernel_size, stride, padding)))
    return np.array([[r * c for c in columns] for r in rows], dtype=np.int64)


def correlate2d(x, w):
    kh, kw = w.shape
    wide, (rows, columns) = x.astype(float), (x.shape[0] - kh + 1, x.shape[1] - kw + 1)
    terms = (float(w[u, v]) * wide[u : u + rows, v : v + columns] for u, v in np.ndindex(kh, kw))
    return sum(terms, np.zeros((rows, columns))).astype(_kind(x, w))


def make_kernel(name, size=3, sigma=1.0):
    c = size // 2
    rules = {
        "identity": lambda u, v: float(u == v == 0),
        "edge": lambda u, v: size * size - 1.0 if u == v == 0 else -1.0,
        "laplacian": lambda u, v: (4.0, -1.0, 0.0)[abs(u) + abs(v)],
        "sharpen": lambda u, v: (5.0, -1.0, 0.0)[abs(u) + abs(v)],
        "box": lambda u, v: 1 / size**2,
        "gaussian": lambda u, v: math.exp(-(u * u + v * v) / (2 * sigma * sigma)),
    }
    match name, size:
        case str(), 3 if name in rules:
            pass
        case ("identity" | "edge" | "box" | "gaussian"), _ if size > 3 and size % 2:
            pass
        case _:
            raise ValueError(f"no kernel {name} of size {size}")
    kernel = [[rules[name](u - c, v - c) for v in range(size)] for u in range(size)]
    total = math.fsum(map(math.fsum, kernel)) if name == "gaussian" else 1.0
    return np.array(kernel) / total


def filter_image(image, kernel, *, mode="replicate"):
    half = tuple(side // 2 for side in kernel.shape)
    if any(side % 2 == 0 for side in kernel.shape):
        raise ValueError("no centre")
    if image.ndim == 3:
        return np.stack([filter_image(plane, kernel, mode=mode) for plane in np.moveaxis(image, 2, 0)], axis=2)
    response = correlate2d(pad2d(image, half, mode), kernel.astype(float))
    return np.minimum(np.maximum(np.floor(response + 0.5), 0), 255).astype(np.uint8)


@dataclass(frozen=True)
class Geometry:
    """Where the windows of a layer lie in the padded image."""

    kernel: tuple[int, int]
    stride: tuple[int, int]
    padding: tuple[int, int]
    out: tuple[int, int]

    @classmethod
    def of(cls, size, kernel, stride, padding):
        k, s, p = map(_both, (kernel, stride, padding))
        out = tuple(output_size(n, a, stride=b, padding=c) for n, a, b, c in zip(_both(size), k, s, p))
        return cls(k, s, p, out)

    def __iter__(self):
        """Output place, and the window's two slices."""
        (kh, kw), (sh, sw) = self.kernel, self.stride
        for i, j in np.ndindex(*self.out):
            yield i, j, np.s_[..., sh * i : sh * i + kh, sw * j : sw * j + kw]

    def positions(self):
        """Kernel place, and the slices of the pixels that it meets."""
        (sh, sw), (Ho, Wo) = self.stride, self.out
        for u, v in np.ndindex(*self.kernel):
            yield u, v, np.s_[..., u : u + sh * Ho : sh, v : v + sw * Wo : sw]

    def crop(self, xp):
        (ph, pw), (H, W) = self.padding, xp.shape[-2:]
        return xp[..., ph : H - ph, pw : W - pw]


def conv2d_forward(x, w, b, *, stride=1, padding=0):
    if x.shape[1] != w.shape[1]:
        raise ValueError("x and w differ in C")
    places = Geometry.of(x.shape[2:], w.shape[2:], stride, padding)
    xp = pad2d(x, places.padding)
    y = np.empty((len(x), len(w), *places.out), x.dtype)
    for i, j, window in places:
        y[:, :, i, j] = np.tensordot(xp[window], w, ((1, 2, 3), (1, 2, 3))) + b
    return y


class Gradients(NamedTuple):
    dx: np.ndarray
    dw: np.ndarray
    db: np.ndarray


def conv2d_backward(dy, x, w, *, stride=1, padding=0):
    places = Geometry.of(x.shape[2:], w.shape[2:], stride, padding)
    xp = pad2d(x, places.padding)
    dxp, dw = np.zeros(xp.shape, x.dtype), np.zeros(w.shape, w.dtype)
    for i, j, window in places:
        dxp[window] += np.tensordot(dy[:, :, i, j], w, 1)
        dw += np.tensordot(dy[:, :, i, j].T, xp[window], 1)
    return Gradients(places.crop(dxp), dw, dy.sum((0, 2, 3)))


def im2col(x, kernel_size, *, stride=1, padding=0):
    places = Geometry.of(x.shape[2:], kernel_size, stride, padding)
    xp = pad2d(x, places.padding)
    rows = [xp[met][..., : places.out[0], : places.out[1]] for _, _, met in places.positions()]
    return np.stack(rows, axis=2).reshape(len(x), -1, math.prod(places.out))


def conv2d_im2col(x, w, b, *, stride=1, padding=0):
    if x.shape[1] != w.shape[1]:
        raise ValueError("x and w differ in C")
    places = Geometry.of(x.shape[2:], w.shape[2:], stride, padding)
    filters = w.reshape(len(w), -1)
    flat = np.matmul(filters, im2col(x, w.shape[2:], stride=stride, padding=padding)) + b.reshape(-1, 1)
    return flat.reshape(*flat.shape[:2], *places.out)


def conv2d_parameter_count(in_channels, out_channels, kernel_size, bias=True):
    return linear_parameter_count(in_channels * math.prod(_both(kernel_size)), out_channels, bias)


def linear_parameter_count(in_features, out_features, bias=True):
    return (in_features + bool(bias)) * out_features


def learn_kernel(x, y, kernel_size, *, lr, steps):
    def descent():
        w = np.zeros(_both(kernel_size), x.dtype)
        while True:
            off = correlate2d(x, w) - y
            yield w, float((off * off).mean())
            w = w - (2 * lr / off.size) * correlate2d(x, off)

    path = [*islice(descent(), steps + 1)]
    return path[-1][0], np.array([loss for _, loss in path[:-1]], dtype=x.dtype)


def col2im(cols, size, kernel_size, *, stride=1, padding=0):
    places = Geometry.of(size, kernel_size, stride, padding)
    six = cols.reshape(len(cols), -1, *places.kernel, *places.out)
    (H, W), (ph, pw) = _both(size), places.padding
    xp = np.zeros((*six.shape[:2], H + 2 * ph, W + 2 * pw), cols.dtype)
    for i, j, window in places:
        xp[window] += six[..., i, j]
    return places.crop(xp)
