"""Assignment 1 with sliding_window_view and einsum."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from jaxtyping import Float, Int64, Real, Shaped, UInt8
from numpy.lib.stride_tricks import sliding_window_view

Pair = int | tuple[int, int]
Signal = Float[np.ndarray, " length"]


def _floating(*arrays: np.ndarray) -> list[np.ndarray]:
    """The arrays in their common floating dtype; an integer array counts as float64."""
    types = [a.dtype if a.dtype.kind == "f" else np.dtype(np.float64) for a in arrays]
    common = np.result_type(*types)
    return [a.astype(common) for a in arrays]


def _pair(value: Pair) -> tuple[int, int]:
    return value if isinstance(value, tuple) else (value, value)


def _windows(x: np.ndarray, kernel_size: Pair, stride: Pair, padding: Pair) -> np.ndarray:
    """All windows, shape (N, C, Ho, Wo, kh, kw)."""
    (kh, kw), (sh, sw) = _pair(kernel_size), _pair(stride)
    xp = pad2d(x, padding)
    if kh > xp.shape[2] or kw > xp.shape[3]:
        raise ValueError("the window is larger than the padded image")
    return sliding_window_view(xp, (kh, kw), axis=(2, 3))[:, :, ::sh, ::sw]


def convolve(x: Real[np.ndarray, " n"], h: Real[np.ndarray, " m"]) -> Float[np.ndarray, " n+m-1"]:
    if not (x.size and h.size):
        raise ValueError("a signal is empty")
    x, h = _floating(x, h)
    padded = np.zeros(x.size + 2 * (h.size - 1), x.dtype)
    padded[h.size - 1 : h.size - 1 + x.size] = x
    return np.einsum("im,m->i", sliding_window_view(padded, h.size), h[::-1])


def cross_correlate(x: Real[np.ndarray, " n"], h: Real[np.ndarray, " m"]) -> Float[np.ndarray, " n-m+1"]:
    if h.size > x.size:
        raise ValueError("h does not fit")
    x, h = _floating(x, h)
    return np.einsum("im,m->i", sliding_window_view(x, h.size), h)


def convolution_matrix(h: Real[np.ndarray, " m"], n: int) -> Float[np.ndarray, "n+m-1 n"]:
    (h,) = _floating(h)
    i, k = np.ogrid[: n + h.size - 1, :n]
    inside = (i >= k) & (i - k < h.size)
    return np.where(inside, h[np.clip(i - k, 0, h.size - 1)], h.dtype.type(0))


def impulse_response(system: Callable[[Signal], Signal], length: int) -> Signal:
    return system(np.eye(1, length)[0])


def _close(a: np.ndarray, b: np.ndarray, scale: float) -> bool:
    return bool(np.all(np.abs(a - b) <= 1e-10 * scale))


def is_linear(system: Callable[[Signal], Signal], length: int, *, rng: np.random.Generator) -> bool:
    for amplitude in np.logspace(-2.5, 2.5, 31):
        for _ in range(4):
            u, v = amplitude * rng.standard_normal((2, length))
            v *= 10 ** rng.uniform(-1, 1)
            a, b = rng.uniform(-3, 3, 2)
            su, sv = np.array(system(u)), np.array(system(v))
            for p, q in ((1.0, 1.0), (a, 0.0), (a, b)):
                got = np.array(system(p * u + q * v))
                scale = max(np.abs(p * su).max(), np.abs(q * sv).max(), np.abs(got).max())
                if not _close(got, p * su + q * sv, scale):
                    return False
    return True


def is_time_invariant(system: Callable[[Signal], Signal], length: int, *, rng: np.random.Generator) -> bool:
    for amplitude in [0.0, *np.logspace(-2.2, 2.2, 15)]:
        for k in range(1, length):
            for _ in range(2):
                x = np.zeros(length)
                x[: length - k] = amplitude * rng.standard_normal(length - k)
                now, later = np.array(system(x)), np.array(system(np.roll(x, k)))
                if not _close(later[k:], now[:-k], max(np.abs(now).max(), np.abs(later).max())):
                    return False
    return True


def _direction(a: np.ndarray) -> np.ndarray:
    """a scaled so that its largest entry has magnitude 1 (or 0)."""
    largest = np.abs(a).max(axis=-1, keepdims=True, initial=0)
    return a / np.where(largest > 0, largest, 1)


def cosine_similarity(a: Real[np.ndarray, " n"], b: Real[np.ndarray, " n"]) -> float:
    a, b = _direction(a.astype(np.float64)), _direction(b.astype(np.float64))
    aa, bb, ab = np.einsum("i,i", a, a), np.einsum("i,i", b, b), np.einsum("i,i", a, b)
    return float(ab / np.sqrt(aa * bb)) if aa and bb else 0.0


def match_template(x: Real[np.ndarray, " n"], template: Real[np.ndarray, " m"]) -> Float[np.ndarray, " n-m+1"]:
    if template.size > x.size:
        raise ValueError("the template does not fit")
    dtype = _floating(x, template)[0].dtype
    windows = sliding_window_view(x.astype(np.float64), template.size)
    t = template.astype(np.float64)
    flat = (windows == windows[:, :1]).all(axis=1) | (t == t[0]).all()
    w = _direction(windows - np.einsum("im->i", windows)[:, None] / t.size)
    t = _direction(t - t.mean())
    top = np.einsum("im,m->i", w, t)
    below = np.sqrt(np.einsum("im,im->i", w, w) * np.einsum("m,m", t, t))
    return np.divide(top, below, out=np.zeros_like(top), where=~flat & (below > 0)).astype(dtype)


def output_size(size: int, kernel_size: int, *, stride: int = 1, padding: int = 0, dilation: int = 1) -> int:
    room = size + 2 * padding - dilation * (kernel_size - 1) - 1
    if room < 0:
        raise ValueError("no window fits")
    return room // stride + 1


def pad2d(
    x: Real[np.ndarray, "... H W"], padding: Pair, mode: Literal["zeros", "replicate", "reflect"] = "zeros"
) -> Real[np.ndarray, "... H+2*ph W+2*pw"]:
    (ph, pw), (height, width) = _pair(padding), x.shape[-2:]
    if mode == "zeros":
        y = np.zeros((*x.shape[:-2], height + 2 * ph, width + 2 * pw), x.dtype)
        y[..., ph : ph + height, pw : pw + width] = x
        return y
    rows, columns = np.arange(-ph, height + ph), np.arange(-pw, width + pw)
    if mode == "replicate":
        rows, columns = rows.clip(0, height - 1), columns.clip(0, width - 1)
    elif mode == "reflect":
        if ph >= height or pw >= width:
            raise ValueError("nothing to mirror")
        rows = height - 1 - np.abs(height - 1 - np.abs(rows))
        columns = width - 1 - np.abs(width - 1 - np.abs(columns))
    else:
        raise ValueError(f"no mode {mode!r}")
    return x[..., rows[:, None], columns]


def window_coverage(size: Pair, kernel_size: Pair, *, stride: Pair = 1, padding: Pair = 0) -> Int64[np.ndarray, "H W"]:
    counts = []
    for n, k, s, p in zip(*map(_pair, (size, kernel_size, stride, padding)), strict=True):
        starts = s * np.arange(output_size(n, k, stride=s, padding=p)) - p
        pixels = np.arange(n)[:, None]
        counts.append(((starts <= pixels) & (pixels < starts + k)).sum(axis=1, dtype=np.int64))
    return np.einsum("i,j->ij", *counts)


def correlate2d(x: Real[np.ndarray, "H W"], w: Real[np.ndarray, "kh kw"]) -> Float[np.ndarray, "H-kh+1 W-kw+1"]:
    x, w = _floating(x, w)
    return np.einsum("ijuv,uv->ij", sliding_window_view(x, w.shape), w)


def make_kernel(
    name: Literal["identity", "edge", "laplacian", "sharpen", "box", "gaussian"], size: int = 3, sigma: float = 1.0
) -> Float[np.ndarray, "size size"]:
    if size < 3 or size % 2 == 0:
        raise ValueError("size must be odd and at least 3")
    if size != 3 and name in {"laplacian", "sharpen"}:
        raise ValueError(f"{name} is 3 x 3")
    u = np.arange(size) - size // 2
    identity = np.einsum("i,j->ij", u == 0, u == 0).astype(float)
    laplacian = np.einsum("i,j->ij", [0, 1, 0], [0, 1, 0]) * 6 - np.add.outer([0, 1, 0], [0, 1, 0]) if size == 3 else 0
    match name:
        case "identity":
            return identity
        case "edge":
            return size**2 * identity - 1
        case "laplacian":
            return laplacian.astype(float)
        case "sharpen":
            return identity + laplacian
        case "box":
            return np.full((size, size), 1 / size**2)
        case "gaussian":
            g = np.exp(-(u**2) / (2 * sigma**2))
            g /= g.sum()
            return np.einsum("i,j->ij", g, g)
    raise ValueError(f"no kernel {name!r}")


def filter_image(
    image: UInt8[np.ndarray, "H W"] | UInt8[np.ndarray, "H W 3"],
    kernel: Real[np.ndarray, "kh kw"],
    *,
    mode: Literal["zeros", "replicate", "reflect"] = "replicate",
) -> UInt8[np.ndarray, "H W"] | UInt8[np.ndarray, "H W 3"]:
    kh, kw = kernel.shape
    if kh % 2 == 0 or kw % 2 == 0:
        raise ValueError("the kernel has no centre")
    planes = np.moveaxis(np.atleast_3d(image), 2, 0)
    answers = [correlate2d(pad2d(plane, (kh // 2, kw // 2), mode), kernel.astype(float)) for plane in planes]
    return np.stack(answers, axis=2).reshape(image.shape).round().clip(0, 255).astype(np.uint8)


def _check_channels(x: np.ndarray, w: np.ndarray) -> None:
    if x.shape[1] != w.shape[1]:
        raise ValueError("x and w differ in channels")


def conv2d_forward(
    x: Float[np.ndarray, "N C H W"],
    w: Float[np.ndarray, "F C kh kw"],
    b: Float[np.ndarray, " F"],
    *,
    stride: Pair = 1,
    padding: Pair = 0,
) -> Float[np.ndarray, "N F Ho Wo"]:
    _check_channels(x, w)
    x, w, b = _floating(x, w, b)
    return np.einsum("ncijuv,fcuv->nfij", _windows(x, w.shape[2:], stride, padding), w) + b[:, None, None]


def conv2d_backward(
    dy: Float[np.ndarray, "N F Ho Wo"],
    x: Float[np.ndarray, "N C H W"],
    w: Float[np.ndarray, "F C kh kw"],
    *,
    stride: Pair = 1,
    padding: Pair = 0,
) -> tuple[Float[np.ndarray, "N C H W"], Float[np.ndarray, "F C kh kw"], Float[np.ndarray, " F"]]:
    dy, x, w = _floating(dy, x, w)
    (sh, sw), (ph, pw), (kh, kw) = _pair(stride), _pair(padding), w.shape[2:]
    dw = np.einsum("nfij,ncijuv->fcuv", dy, _windows(x, (kh, kw), stride, padding))
    # For stride 1 it is the full convolution of dy with w. A stride spreads dy out, with zeros in between.
    height, width = x.shape[2] + 2 * ph, x.shape[3] + 2 * pw
    spread = np.zeros((*dy.shape[:2], height + kh - 1, width + kw - 1), dy.dtype)
    spread[:, :, kh - 1 : height : sh, kw - 1 : width : sw][:, :, : dy.shape[2], : dy.shape[3]] = dy
    windows = sliding_window_view(spread, (kh, kw), axis=(2, 3))
    dxp = np.einsum("nfrquv,fcuv->ncrq", windows, w[:, :, ::-1, ::-1])
    return dxp[:, :, ph : height - ph, pw : width - pw].copy(), dw, np.einsum("nfij->f", dy)


def im2col(
    x: Shaped[np.ndarray, "N C H W"], kernel_size: Pair, *, stride: Pair = 1, padding: Pair = 0
) -> Shaped[np.ndarray, "N C*kh*kw L"]:
    windows = _windows(x, kernel_size, stride, padding)
    n, c, ho, wo, kh, kw = windows.shape
    return np.einsum("ncijuv->ncuvij", windows).reshape(n, c * kh * kw, ho * wo)


def conv2d_im2col(
    x: Float[np.ndarray, "N C H W"],
    w: Float[np.ndarray, "F C kh kw"],
    b: Float[np.ndarray, " F"],
    *,
    stride: Pair = 1,
    padding: Pair = 0,
) -> Float[np.ndarray, "N F Ho Wo"]:
    _check_channels(x, w)
    x, w, b = _floating(x, w, b)
    (sh, sw), (ph, pw) = _pair(stride), _pair(padding)
    cols = im2col(x, w.shape[2:], stride=stride, padding=padding)
    ho = output_size(x.shape[2], w.shape[2], stride=sh, padding=ph)
    wo = output_size(x.shape[3], w.shape[3], stride=sw, padding=pw)
    y = np.einsum("fk,nkl->nfl", w.reshape(len(w), -1), cols, optimize=True) + b[:, None]
    return y.reshape(len(x), len(w), ho, wo)


def conv2d_parameter_count(in_channels: int, out_channels: int, kernel_size: Pair, bias: bool = True) -> int:
    kh, kw = _pair(kernel_size)
    return out_channels * (in_channels * kh * kw + bool(bias))


def linear_parameter_count(in_features: int, out_features: int, bias: bool = True) -> int:
    return out_features * (in_features + bool(bias))


def learn_kernel(
    x: Real[np.ndarray, "H W"], y: Real[np.ndarray, "H-kh+1 W-kw+1"], kernel_size: Pair, *, lr: float, steps: int
) -> tuple[Float[np.ndarray, "kh kw"], Float[np.ndarray, " steps"]]:
    x, y = _floating(x, y)
    windows = sliding_window_view(x, _pair(kernel_size))
    w = np.zeros(_pair(kernel_size), x.dtype)
    losses = np.empty(steps, x.dtype)
    for step in range(steps):
        error = correlate2d(x, w) - y
        losses[step] = np.mean(error**2)
        w = w - float(lr) * 2 / y.size * np.einsum("ij,ijuv->uv", error, windows)
    return w, losses


def col2im(
    cols: Real[np.ndarray, "N C*kh*kw L"], size: Pair, kernel_size: Pair, *, stride: Pair = 1, padding: Pair = 0
) -> Float[np.ndarray, "N C H W"]:
    (cols,) = _floating(cols)
    (height, width), (kh, kw), (sh, sw), (ph, pw) = map(_pair, (size, kernel_size, stride, padding))
    ho = output_size(height, kh, stride=sh, padding=ph)
    wo = output_size(width, kw, stride=sw, padding=pw)
    parts = cols.reshape(len(cols), -1, kh, kw, ho, wo)
    xp = np.zeros((*parts.shape[:2], height + 2 * ph, width + 2 * pw), cols.dtype)
    for u, v in np.ndindex(kh, kw):
        xp[:, :, u : u + sh * ho : sh, v : v + sw * wo : sw][:, :, :ho, :wo] += parts[:, :, u, v]
    return xp[:, :, ph : ph + height, pw : pw + width].copy()
