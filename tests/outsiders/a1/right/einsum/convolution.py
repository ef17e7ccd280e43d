"""Everything as a sum over indices: windows are views, and einsum adds up."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view as windows_of


def _pair(p):
    return tuple(p) if isinstance(p, (tuple, list)) else (p, p)


def _dtype(*arrays):
    return np.dtype(np.float32) if all(a.dtype == np.float32 for a in arrays) else np.dtype(np.float64)


def _shift(n, m):
    """d[i, k, l] = 1 where i = k + l: the structure of every convolution."""
    i, k, l = np.ogrid[: n + m - 1, :n, :m]
    return (i == k + l).astype(np.float64)


def convolve(x, h):
    if not x.size or not h.size:
        raise ValueError("empty")
    y = np.einsum("ikl,k,l->i", _shift(x.size, h.size), x.astype(np.float64), h.astype(np.float64))
    return y.astype(_dtype(x, h))


def cross_correlate(x, h):
    if h.size > x.size:
        raise ValueError("h is longer than x")
    return np.einsum("ik,k->i", windows_of(x.astype(np.float64), h.size), h.astype(np.float64)).astype(_dtype(x, h))


def convolution_matrix(h, n):
    return np.einsum("ikl,l->ik", _shift(n, h.size), h.astype(np.float64)).astype(_dtype(h))


def impulse_response(system, length):
    return system(np.eye(1, length)[0])


def _signals(length, rng):
    for a in np.logspace(-2, 2, 33):
        yield a * rng.standard_normal(length)
        yield a * rng.uniform(-1, 1, length)
        yield a * rng.uniform(0.1, 1, length)
    for _ in range(40):
        yield 10 ** rng.uniform(-2, 2, length) * rng.choice([-1.0, 1.0], length)


def _differ(p, q, *scales):
    scale = max(np.abs(s).max() for s in (p, q, *scales))
    return bool(np.abs(p - q).max() > 1e-8 * scale)


def is_linear(system, length, *, rng):
    if np.any(system(np.zeros(length))):
        return False
    for u in _signals(length, rng):
        size = np.abs(u).max()
        for v in (size * rng.uniform(-1, 1, length), rng.permutation(u), size * rng.standard_normal(length)):
            a, b = system(u.copy()), system(v.copy())
            if _differ(system(u + v), a + b, a, b):
                return False
        for factor in (-1.0, 0.5, 2.0, 1.7):
            if _differ(system(factor * u), factor * a, a):
                return False
    return True


def is_time_invariant(system, length, *, rng):
    for x in _signals(length, rng):
        for k in (1, 2, 3, 5):
            early, late = np.zeros(length), np.zeros(length)
            early[: length - k] = x[: length - k]
            late[k:] = x[: length - k]
            if _differ(system(late)[k:], system(early)[: length - k]):
                return False
    return True


def cosine_similarity(a, b):
    a, b = a.astype(np.float64), b.astype(np.float64)
    p, q = (np.sqrt(np.einsum("i,i->", v, v)) for v in (a, b))
    return float(np.einsum("i,i->", a / p, b / q)) if p and q else 0.0


def match_template(x, template):
    n, m = x.size, template.size
    if m > n:
        raise ValueError("the template is longer than x")
    both = [windows_of(x.astype(np.float64), m), template.astype(np.float64)[None]]
    units = []
    for rows in both:
        flat = (rows == rows[:, :1]).all(axis=1)
        low = rows - rows[:, :1]
        low = low - np.einsum("ij->i", low)[:, None] / m
        low = low / np.where(flat, 1, np.abs(low).max(axis=1))[:, None]
        norm = np.sqrt(np.einsum("ij,ij->i", low, low))
        units.append(np.where(flat[:, None], 0.0, low / np.where(flat, 1, norm)[:, None]))
    return np.einsum("ij,kj->i", *units).astype(_dtype(x, template))


def output_size(size, kernel_size, *, stride=1, padding=0, dilation=1):
    room = size + 2 * padding - dilation * (kernel_size - 1) - 1
    if room < 0:
        raise ValueError("not one window fits")
    return room // stride + 1


def pad2d(x, padding, mode="zeros"):
    (ph, pw), (H, W) = _pair(padding), x.shape[-2:]
    if mode == "reflect" and (ph >= H or pw >= W):
        raise ValueError("nothing to mirror")
    r, c = np.arange(-ph, H + ph), np.arange(-pw, W + pw)
    if mode == "zeros":
        out = np.zeros((*x.shape[:-2], H + 2 * ph, W + 2 * pw), x.dtype)
        out[..., ph : ph + H, pw : pw + W] = x
        return out
    if mode == "replicate":
        r, c = r.clip(0, H - 1), c.clip(0, W - 1)
    else:
        r, c = H - 1 - abs(H - 1 - abs(r)), W - 1 - abs(W - 1 - abs(c))
    return x[..., r[:, None], c]


def window_coverage(size, kernel_size, *, stride=1, padding=0):
    counts = []
    for n, k, s, p in zip(_pair(size), _pair(kernel_size), _pair(stride), _pair(padding)):
        starts = s * np.arange(output_size(n, k, stride=s, padding=p))[:, None]
        at = np.arange(p, n + p)
        counts.append(((starts <= at) & (at < starts + k)).sum(axis=0, dtype=np.int64))
    return np.einsum("i,j->ij", *counts)


def correlate2d(x, w):
    seen = windows_of(x.astype(np.float64), w.shape)
    return np.einsum("ijuv,uv->ij", seen, w.astype(np.float64)).astype(_dtype(x, w))


def make_kernel(name, size=3, sigma=1.0):
    if name not in ("identity", "edge", "laplacian", "sharpen", "box", "gaussian"):
        raise ValueError("no such kernel")
    if size < 3 or size % 2 == 0 or (size != 3 and name in ("laplacian", "sharpen")):
        raise ValueError("no such size")
    e = np.eye(size)[size // 2]
    ones = np.ones(size)
    outer = lambda p, q: np.einsum("i,j->ij", p, q)
    identity = outer(e, e)
    side = np.array([1.0, 0.0, 1.0])
    match name:
        case "identity":
            return identity
        case "edge":
            return size * size * identity - outer(ones, ones)
        case "laplacian":
            return 4 * identity - outer(side, e) - outer(e, side)
        case "sharpen":
            return 5 * identity - outer(side, e) - outer(e, side)
        case "box":
            return np.full((size, size), 1 / size**2)
    g = np.exp(-(((np.arange(size) - size // 2) / sigma) ** 2) / 2)
    return outer(g / g.sum(), g / g.sum())


def filter_image(image, kernel, *, mode="replicate"):
    kh, kw = kernel.shape
    if kh % 2 == 0 or kw % 2 == 0:
        raise ValueError("no centre")
    planes = image[..., None] if image.ndim == 2 else image
    padded = pad2d(np.einsum("ijc->cij", planes), (kh // 2, kw // 2), mode)
    out = np.array([np.rint(correlate2d(p, kernel.astype(np.float64))).clip(0, 255) for p in padded])
    return np.einsum("cij->ijc", out).astype(np.uint8).reshape(image.shape)


def _windows(x, size, stride, padding):
    """The windows as (N, C, Ho, Wo, kh, kw)."""
    (kh, kw), (sh, sw), (ph, pw) = map(_pair, (size, stride, padding))
    if kh > x.shape[2] + 2 * ph or kw > x.shape[3] + 2 * pw:
        raise ValueError("the window is larger than the padded image")
    return windows_of(pad2d(x, (ph, pw)), (kh, kw), axis=(2, 3))[:, :, ::sh, ::sw]


def _agree(x, w):
    if x.shape[1] != w.shape[1]:
        raise ValueError("x and w differ in C")


def conv2d_forward(x, w, b, *, stride=1, padding=0):
    _agree(x, w)
    y = np.einsum("ncijuv,fcuv->nfij", _windows(x, w.shape[2:], stride, padding), w)
    return y + b[:, None, None]


def conv2d_backward(dy, x, w, *, stride=1, padding=0):
    seen = _windows(x, w.shape[2:], stride, padding)
    dw = np.einsum("nfij,ncijuv->fcuv", dy, seen)
    cols = np.einsum("nfij,fcuv->ncuvij", dy, w).reshape(len(x), -1, dy.shape[2] * dy.shape[3])
    dx = col2im(cols, x.shape[2:], w.shape[2:], stride=stride, padding=padding)
    return dx, dw, np.einsum("nfij->f", dy)


def im2col(x, kernel_size, *, stride=1, padding=0):
    seen = _windows(x, kernel_size, stride, padding)
    n, c, i, j, u, v = seen.shape
    return seen.transpose(0, 1, 4, 5, 2, 3).reshape(n, c * u * v, i * j)


def conv2d_im2col(x, w, b, *, stride=1, padding=0):
    _agree(x, w)
    (kh, kw), (sh, sw), (ph, pw) = w.shape[2:], _pair(stride), _pair(padding)
    cols = im2col(x, (kh, kw), stride=stride, padding=padding)
    Ho = output_size(x.shape[2], kh, stride=sh, padding=ph)
    return (w.reshape(len(w), -1) @ cols + b[:, None]).reshape(len(x), len(w), Ho, -1)


def conv2d_parameter_count(in_channels, out_channels, kernel_size, bias=True):
    kh, kw = _pair(kernel_size)
    return out_channels * (in_channels * kh * kw + (1 if bias else 0))


def linear_parameter_count(in_features, out_features, bias=True):
    return out_features * (in_features + (1 if bias else 0))


def learn_kernel(x, y, kernel_size, *, lr, steps):
    w, losses = np.zeros(_pair(kernel_size), x.dtype), np.zeros(steps, x.dtype)
    seen = windows_of(x, w.shape)
    for step in range(steps):
        off = correlate2d(x, w) - y
        losses[step] = np.einsum("ij,ij->", off, off) / off.size
        w = w - lr * (2 / off.size * np.einsum("ij,ijuv->uv", off, seen))
    return w, losses


def col2im(cols, size, kernel_size, *, stride=1, padding=0):
    parts = [
        output_size(n, k, stride=s, padding=p)
        for n, k, s, p in zip(_pair(size), _pair(kernel_size), _pair(stride), _pair(padding))
    ]
    (H, W), (kh, kw), (sh, sw), (ph, pw), (Ho, Wo) = map(_pair, (size, kernel_size, stride, padding, tuple(parts)))
    # rows[r, i, u] = 1 where pixel row r is row u of window i; likewise for columns
    r, i, u = np.ogrid[:H, :Ho, :kh]
    rows = (sh * i + u - ph == r).astype(cols.dtype)
    s, j, v = np.ogrid[:W, :Wo, :kw]
    columns = (sw * j + v - pw == s).astype(cols.dtype)
    six = cols.reshape(len(cols), -1, kh, kw, Ho, Wo)
    half = np.einsum("ncuvij,riu->ncvjr", six, rows)
    return np.einsum("ncvjr,sjv->ncrs", half, columns)
