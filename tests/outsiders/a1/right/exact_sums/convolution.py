"""Assignment 1: convolution and kernels, in NumPy."""
# This file is yours: put your code where it raises NotImplementedError, then run "python -m checks".

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from jaxtyping import Float, Int64, Real, UInt8

import itertools
import math

Pair = int | tuple[int, int]
Signal = Float[np.ndarray, " length"]


def split(p):
    return list(p) if hasattr(p, "__len__") else [p, p]

def kind_of(*things):
    single = all(thing.dtype == np.float32 for thing in things)
    return np.float32 if single else np.float64

def numbers(array):
    """Nested lists of Python numbers: exact, and nothing overflows or widens unseen."""
    return array.astype(np.float64).tolist()

def close(left, right):
    left, right = [list(map(float, side)) for side in (left, right)]
    size = max(map(abs, left + right), default=0.0)
    return all(abs(a - b) <= 1e-6 * size for a, b in zip(left, right, strict=True))

LOUDNESS = [10 ** (step / 10) for step in range(-20, 21)]


def convolve(x: Real[np.ndarray, " n"], h: Real[np.ndarray, " m"]) -> Float[np.ndarray, " n+m-1"]:
    xs, hs = numbers(x), numbers(h)
    if min(len(xs), len(hs)) < 1:
        raise ValueError
    y = []
    for i in range(len(xs) + len(hs) - 1):
        y.append(math.fsum(xs[k] * hs[i - k] for k in range(max(0, i - len(hs) + 1), min(i, len(xs) - 1) + 1)))
    return np.array(y, kind_of(x, h))


def cross_correlate(x: Real[np.ndarray, " n"], h: Real[np.ndarray, " m"]) -> Float[np.ndarray, " n-m+1"]:
    xs, hs = numbers(x), numbers(h)
    if len(hs) > len(xs):
        raise ValueError
    y = [math.fsum(a * b for a, b in zip(xs[i:], hs)) for i in range(len(xs) - len(hs) + 1)]
    return np.array(y, kind_of(x, h))


def convolution_matrix(h: Real[np.ndarray, " m"], n: int) -> Float[np.ndarray, "n+m-1 n"]:
    column = numbers(h) + [0.0] * (n - 1)
    columns = []
    for _ in range(n):
        columns.append(column)
        column = [0.0] + column[:-1]
    return np.array(columns, kind_of(h)).T


def impulse_response(system: Callable[[Signal], Signal], length: int) -> Signal:
    return np.array(system(np.array([1.0] + [0.0] * (length - 1))))


def is_linear(system: Callable[[Signal], Signal], length: int, *, rng: np.random.Generator) -> bool:
    for loud in LOUDNESS * 3:
        u = rng.normal(0, loud, length)
        v = rng.uniform(-loud, loud, length)
        U, V = np.array(system(u)), np.array(system(v))
        if not close(system(u + v), U + V):
            return False
        for signal, answer in ((u, U), (v, V)):
            for factor in (-1, 3, 1 / 7):
                if not close(system(factor * signal), factor * answer):
                    return False
    return True


def is_time_invariant(system: Callable[[Signal], Signal], length: int, *, rng: np.random.Generator) -> bool:
    for delay in reversed(range(1, length)):
        for loud in LOUDNESS:
            for signal in (rng.normal(0, loud, length - delay), rng.uniform(-loud, loud, length - delay)):
                zeros = np.zeros(delay)
                there = system(np.append(signal, zeros))[: length - delay].tolist()
                late = system(np.append(zeros, signal))[delay:].tolist()
                if not close(there, late):
                    return False
    return True


def cosine_similarity(a: Real[np.ndarray, " n"], b: Real[np.ndarray, " n"]) -> float:
    a, b = numbers(a), numbers(b)
    across = math.hypot(*a), math.hypot(*b)
    if 0 in across:
        return 0.0
    return math.fsum((p / across[0]) * (q / across[1]) for p, q in zip(a, b))


def match_template(x: Real[np.ndarray, " n"], template: Real[np.ndarray, " m"]) -> Float[np.ndarray, " n-m+1"]:
    xs, ts = numbers(x), numbers(template)
    m = len(ts)
    if m > len(xs):
        raise ValueError

    def shape(values):
        if min(values) == max(values):
            return None
        values = [value - values[0] for value in values]
        mean = math.fsum(values) / m
        values = [value - mean for value in values]
        length = math.hypot(*values)
        return [value / length for value in values]

    wanted = shape(ts)
    scores = []
    for i in range(len(xs) - m + 1):
        found = shape(xs[i : i + m])
        scores.append(0.0 if None in (wanted, found) else math.fsum(a * b for a, b in zip(wanted, found)))
    return np.array(scores, kind_of(x, template))


def output_size(size: int, kernel_size: int, *, stride: int = 1, padding: int = 0, dilation: int = 1) -> int:
    count, last = 0, padding + size + padding - 1
    while count * stride + (kernel_size - 1) * dilation <= last:
        count += 1
    if count == 0:
        raise ValueError
    return count


def pad2d(
    x: Real[np.ndarray, "... H W"], padding: Pair, mode: Literal["zeros", "replicate", "reflect"] = "zeros"
) -> Real[np.ndarray, "... H+2*ph W+2*pw"]:
    ph, pw = split(padding)
    H, W = x.shape[-2:]
    if mode == "reflect" and not (ph < H and pw < W):
        raise ValueError

    def source(place, side):
        if mode == "replicate":
            return min(max(place, 0), side - 1)
        if mode == "reflect":
            place = abs(place)
            return place if place < side else 2 * (side - 1) - place
        return place if 0 <= place < side else None

    out = np.zeros(x.shape[:-2] + (H + 2 * ph, W + 2 * pw), dtype=x.dtype)
    for i, j in itertools.product(range(H + 2 * ph), range(W + 2 * pw)):
        r, s = source(i - ph, H), source(j - pw, W)
        if r is not None and s is not None:
            out[..., i, j] = x[..., r, s]
    return out


def window_coverage(size: Pair, kernel_size: Pair, *, stride: Pair = 1, padding: Pair = 0) -> Int64[np.ndarray, "H W"]:
    sides = list(zip(split(size), split(kernel_size), split(stride), split(padding)))
    counts = [output_size(n, k, stride=s, padding=p) for n, k, s, p in sides]

    def seen(place, count, side):
        _, k, s, p = side
        return sum(0 <= place + p - i * s < k for i in range(count))

    rows, columns = [[seen(place, c, side) for place in range(side[0])] for c, side in zip(counts, sides)]
    return np.array([[r * s for s in columns] for r in rows], np.int64)


def correlate2d(x: Real[np.ndarray, "H W"], w: Real[np.ndarray, "kh kw"]) -> Float[np.ndarray, "H-kh+1 W-kw+1"]:
    xs, ws = numbers(x), numbers(w)
    kh, kw = w.shape
    y = [
        [
            math.fsum(xs[i + u][j + v] * ws[u][v] for u in range(kh) for v in range(kw))
            for j in range(len(xs[0]) - kw + 1)
        ]
        for i in range(len(xs) - kh + 1)
    ]
    return np.array(y, kind_of(x, w))


def make_kernel(
    name: Literal["identity", "edge", "laplacian", "sharpen", "box", "gaussian"], size: int = 3, sigma: float = 1.0
) -> Float[np.ndarray, "size size"]:
    if size not in range(3, size + 1, 2):
        raise ValueError
    middle = (size - 1) // 2

    def at(u, v):
        match name:
            case "identity":
                return float(u == v == 0)
            case "edge":
                return size * size * float(u == v == 0) - 1
            case "laplacian" | "sharpen" if size == 3:
                return [4.0 + (name == "sharpen"), -1.0, 0.0][abs(u) + abs(v)]
            case "box":
                return 1 / (size * size)
            case "gaussian":
                return math.exp(-(u * u + v * v) / (2 * sigma * sigma))
        raise ValueError

    rows = [[at(i - middle, j - middle) for j in range(size)] for i in range(size)]
    total = math.fsum(itertools.chain.from_iterable(rows)) if name == "gaussian" else 1.0
    return np.array([[weight / total for weight in row] for row in rows])


def filter_image(
    image: UInt8[np.ndarray, "H W"] | UInt8[np.ndarray, "H W 3"],
    kernel: Real[np.ndarray, "kh kw"],
    *,
    mode: Literal["zeros", "replicate", "reflect"] = "replicate",
) -> UInt8[np.ndarray, "H W"] | UInt8[np.ndarray, "H W 3"]:
    kh, kw = kernel.shape
    if (kh + 1) % 2 or (kw + 1) % 2:
        raise ValueError
    planes = image.reshape(*image.shape, 1) if len(image.shape) == 2 else image
    out = np.empty(planes.shape, np.uint8)
    for c in range(planes.shape[-1]):
        response = correlate2d(pad2d(planes[..., c], ((kh - 1) // 2, (kw - 1) // 2), mode), kernel.astype(float))
        for place, value in np.ndenumerate(response):
            out[(*place, c)] = 0 if value < 0 else 255 if value > 255 else int(value + 0.5)
    return out.reshape(image.shape)


def conv2d_forward(
    x: Float[np.ndarray, "N C H W"],
    w: Float[np.ndarray, "F C kh kw"],
    b: Float[np.ndarray, " F"],
    *,
    stride: Pair = 1,
    padding: Pair = 0,
) -> Float[np.ndarray, "N F Ho Wo"]:
    (sh, sw), (ph, pw) = split(stride), split(padding)
    (N, C, H, W), (F, D, kh, kw) = x.shape, w.shape
    if C != D:
        raise ValueError
    Ho, Wo = output_size(H, kh, stride=sh, padding=ph), output_size(W, kw, stride=sw, padding=pw)
    xp = pad2d(x, padding)
    y = np.empty((N, F, Ho, Wo), x.dtype)
    for n, f, i, j in np.ndindex(N, F, Ho, Wo):
        window = xp[n, :, sh * i : sh * i + kh, sw * j : sw * j + kw]
        y[n, f, i, j] = (window.astype(np.float64) * w[f]).sum() + b[f]
    return y


def conv2d_backward(
    dy: Float[np.ndarray, "N F Ho Wo"],
    x: Float[np.ndarray, "N C H W"],
    w: Float[np.ndarray, "F C kh kw"],
    *,
    stride: Pair = 1,
    padding: Pair = 0,
) -> tuple[Float[np.ndarray, "N C H W"], Float[np.ndarray, "F C kh kw"], Float[np.ndarray, " F"]]:
    (sh, sw), (ph, pw) = split(stride), split(padding)
    H, W = x.shape[2:]
    kh, kw = w.shape[2:]
    xp = pad2d(x, padding).astype(np.float64)
    dxp, dw, db = np.zeros(xp.shape), np.zeros(w.shape), np.zeros(len(w))
    for (n, f, i, j), d in np.ndenumerate(dy):
        d = float(d)
        window = (n, slice(None), slice(sh * i, sh * i + kh), slice(sw * j, sw * j + kw))
        db[f] += d
        dw[f] += d * xp[window]
        dxp[window] += d * w[f]
    dx = dxp[:, :, ph : ph + H, pw : pw + W]
    return dx.astype(x.dtype), dw.astype(w.dtype), db.astype(w.dtype)


def im2col(
    x: Real[np.ndarray, "N C H W"], kernel_size: Pair, *, stride: Pair = 1, padding: Pair = 0
) -> Real[np.ndarray, "N C*kh*kw L"]:
    (kh, kw), (sh, sw) = split(kernel_size), split(stride)
    xp = pad2d(x, padding)
    Hp, Wp = xp.shape[2:]
    if kh > Hp or kw > Wp:
        raise ValueError
    starts = itertools.product(range(0, Hp - kh + 1, sh), range(0, Wp - kw + 1, sw))
    return np.stack([xp[:, :, r : r + kh, s : s + kw].reshape(len(x), -1) for r, s in starts], axis=-1)


def conv2d_im2col(
    x: Float[np.ndarray, "N C H W"],
    w: Float[np.ndarray, "F C kh kw"],
    b: Float[np.ndarray, " F"],
    *,
    stride: Pair = 1,
    padding: Pair = 0,
) -> Float[np.ndarray, "N F Ho Wo"]:
    (sh, sw), (ph, pw) = split(stride), split(padding)
    F, C, kh, kw = w.shape
    if C != x.shape[1]:
        raise ValueError
    cols = im2col(x, (kh, kw), stride=stride, padding=padding)
    rows = np.concatenate([w.reshape(F, C * kh * kw), b[:, None]], axis=1)  # the bias as one more weight, of a 1
    ones = np.ones((len(x), 1, cols.shape[2]), x.dtype)
    y = rows @ np.concatenate([cols, ones], axis=1)
    return y.reshape(len(x), F, output_size(x.shape[2], kh, stride=sh, padding=ph), -1)


def conv2d_parameter_count(in_channels: int, out_channels: int, kernel_size: Pair, bias: bool = True) -> int:
    return sum(in_channels * math.prod(split(kernel_size)) + (1 if bias else 0) for _ in range(out_channels))


def linear_parameter_count(in_features: int, out_features: int, bias: bool = True) -> int:
    return (in_features + 1) * out_features if bias else in_features * out_features


def learn_kernel(
    x: Float[np.ndarray, "H W"], y: Float[np.ndarray, "H-kh+1 W-kw+1"], kernel_size: Pair, *, lr: float, steps: int
) -> tuple[Float[np.ndarray, "kh kw"], Float[np.ndarray, " steps"]]:
    kh, kw = split(kernel_size)
    w, losses = np.zeros((kh, kw)), []
    x64, y64 = x.astype(np.float64), y.astype(np.float64)
    P = y.size
    for _ in range(steps):
        wrong = correlate2d(x64, w) - y64
        losses.append(math.fsum(e * e for e in wrong.ravel().tolist()) / P)
        slope = np.array([[2 / P * np.sum(wrong * x64[u:, v:][: y.shape[0], : y.shape[1]]) for v in range(kw)] for u in range(kh)])
        w = w - lr * slope
    return w.astype(x.dtype), np.array(losses).astype(x.dtype)


def col2im(
    cols: Float[np.ndarray, "N C*kh*kw L"], size: Pair, kernel_size: Pair, *, stride: Pair = 1, padding: Pair = 0
) -> Float[np.ndarray, "N C H W"]:
    (H, W), (kh, kw), (sh, sw), (ph, pw) = split(size), split(kernel_size), split(stride), split(padding)
    Ho = output_size(H, kh, stride=sh, padding=ph)
    Wo = output_size(W, kw, stride=sw, padding=pw)
    N, C = cols.shape[0], cols.shape[1] // (kh * kw)
    x = np.zeros((N, C, H, W), np.float64)
    for c, u, v, i, j in np.ndindex(C, kh, kw, Ho, Wo):
        r, s = sh * i + u - ph, sw * j + v - pw
        if 0 <= r < H and 0 <= s < W:
            x[:, c, r, s] += cols[:, (c * kh + u) * kw + v, i * Wo + j]
    return x.astype(cols.dtype)
