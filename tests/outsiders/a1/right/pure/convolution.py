"""Unusual numerics: exact sums (math.fsum) and rational numbers (Fraction) where a sum is short; the products of
signals as products of big integers are left out, since inputs are not whole."""
from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np


def _kind(*arrays):
    return np.dtype("f4") if all(a.dtype == np.dtype("f4") for a in arrays) else np.dtype("f8")


def _both(p):
    try:
        a, b = p
    except TypeError:
        a = b = p
    return a, b


def _dot(a, b):
    return math.fsum(p * q for p, q in zip(a, b))


def _list(a):
    return [float(v) for v in a.ravel()]


def convolve(x, h):
    a, b = _list(x), _list(h)
    if not a or not b:
        raise ValueError("empty")
    if len(a) < len(b):
        return convolve(h, x)
    back = b[::-1]
    rows = [0.0] * (len(b) - 1) + a + [0.0] * (len(b) - 1)
    return np.array([_dot(rows[i : i + len(b)], back) for i in range(len(a) + len(b) - 1)], _kind(x, h))


def cross_correlate(x, h):
    a, b = _list(x), _list(h)
    if len(b) > len(a):
        raise ValueError("too long")
    return np.array([_dot(a[i:], b) for i in range(len(a) - len(b) + 1)], _kind(x, h))


def convolution_matrix(h, n):
    columns = [[0.0] * k + _list(h) + [0.0] * (n - 1 - k) for k in range(n)]
    return np.array(columns, _kind(h)).T


def impulse_response(system, length):
    return system(np.array([1.0] + [0.0] * (length - 1)))


_LEVELS = [0.01 * 1.25**i for i in range(42)] + [100.0]


def _noise(rng, length, level):
    mode = rng.integers(4)
    if mode == 0:
        return level * (rng.random(length) * 2 - 1)
    if mode == 1:
        return level * (rng.integers(2, size=length) * 2.0 - 1)
    if mode == 2:
        return level * (0.5 + rng.random(length) / 2) * (rng.integers(2, size=length) * 2.0 - 1)
    return level * rng.random(length)


def _equal(left, right, scale):
    largest = max((abs(float(v)) for s in (left, right, *scale) for v in s), default=0.0)
    return all(abs(float(a) - float(b)) <= 3e-11 * largest for a, b in zip(left, right))


def is_linear(system, length, *, rng):
    for level, _ in product(_LEVELS, range(12)):
        u, v = _noise(rng, length, level), _noise(rng, length, level)
        a = float(rng.uniform(-2, 2))
        one, two = system(u), system(v)
        if not _equal(system(u + v), one + two, (one, two)) or not _equal(system(a * u), a * one, (one,)):
            return False
        if not _equal(system(u - v), one - two, (one, two)):
            return False
    return True


def is_time_invariant(system, length, *, rng):
    for level, k, _ in product(_LEVELS, range(1, length), range(4)):
        x = _noise(rng, length, level)
        x[length - k :] = 0
        moved = np.roll(x, k)
        if not _equal(system(moved)[k:], system(x)[:-k], ()):
            return False
    return True


def cosine_similarity(a, b):
    a, b = _list(a), _list(b)
    la, lb = math.hypot(*a), math.hypot(*b)
    if la == 0 or lb == 0:
        return 0.0
    return math.fsum((p / la) * (q / lb) for p, q in zip(a, b))


def match_template(x, template):
    a, t = _list(x), _list(template)
    if len(t) > len(a):
        raise ValueError("too long")

    def shape(v):
        if min(v) == max(v):
            return None
        exact = [Fraction(p) for p in v]
        mean = sum(exact) / len(exact)
        rest = [p - mean for p in exact]
        top = max(abs(p) for p in rest)
        rest = [float(p / top) for p in rest]
        length = math.sqrt(math.fsum(p * p for p in rest))
        return [p / length for p in rest]

    pattern = shape(t)
    scores = []
    for i in range(len(a) - len(t) + 1):
        window = shape(a[i : i + len(t)]) if pattern else None
        scores.append(_dot(window, pattern) if window else 0.0)
    return np.array(scores, _kind(x, template))


def output_size(size, kernel_size, *, stride=1, padding=0, dilation=1):
    windows = range(0, size + 2 * padding - dilation * (kernel_size - 1), stride)
    if not windows:
        raise ValueError("no window")
    return len(windows)


def pad2d(x, padding, mode="zeros"):
    ph, pw = _both(padding)
    rows, columns = x.shape[-2:]
    if mode == "reflect" and (ph >= rows or pw >= columns):
        raise ValueError("no sample to mirror")
    y = np.empty(x.shape[:-2] + (rows + 2 * ph, columns + 2 * pw), x.dtype)
    inner = y[..., ph : ph + rows, pw : pw + columns]
    inner[...] = x
    middle = y[..., ph : ph + rows, :]
    for k in range(1, pw + 1):
        left, right = pw - k, pw + columns - 1 + k
        if mode == "zeros":
            middle[..., left] = middle[..., right] = 0
        elif mode == "replicate":
            middle[..., left], middle[..., right] = x[..., 0], x[..., -1]
        else:
            middle[..., left], middle[..., right] = x[..., k], x[..., columns - 1 - k]
    for k in range(1, ph + 1):
        top, bottom = ph - k, ph + rows - 1 + k
        if mode == "zeros":
            y[..., top, :] = y[..., bottom, :] = 0
        elif mode == "replicate":
            y[..., top, :], y[..., bottom, :] = middle[..., 0, :], middle[..., -1, :]
        else:
            y[..., top, :], y[..., bottom, :] = middle[..., k, :], middle[..., rows - 1 - k, :]
    return y


def window_coverage(size, kernel_size, *, stride=1, padding=0):
    lines = []
    for n, k, s, p in zip(_both(size), _both(kernel_size), _both(stride), _both(padding)):
        count = output_size(n, k, stride=s, padding=p)
        marks = np.zeros(n + 2 * p + 1, np.int64)  # +1 where a window begins, -1 where it ends; then sum
        np.add.at(marks, s * np.arange(count), 1)
        np.add.at(marks, s * np.arange(count) + k, -1)
        lines.append(np.cumsum(marks)[p : p + n])
    return np.outer(*lines)


def correlate2d(x, w):
    kind = _kind(x, w)
    kh, kw = w.shape
    a, flat = np.array(x, kind), np.array(w, kind).ravel()
    rows, columns = a.shape[0] - kh + 1, a.shape[1] - kw + 1
    stack = np.array([a[u : u + rows, v : v + columns] for u, v in np.ndindex(kh, kw)])
    return np.tensordot(flat, stack, 1)


def make_kernel(name, size=3, sigma=1.0):
    if size < 3 or not size % 2:
        raise ValueError("size")
    c = size // 2
    if name == "gaussian":
        logs = [[-((u / sigma) ** 2) / 2 if abs(u / sigma) < 1e100 else -math.inf] for u in range(-c, c + 1)]
        line = np.exp(np.array(logs)[:, 0])
        line = line / math.fsum(line)
        return np.outer(line, line)
    if name == "box":
        return np.ones((size, size)) / float(size * size)
    if name in ("laplacian", "sharpen"):
        if size != 3:
            raise ValueError("3 x 3 only")
        return np.array([0.0, -1, 0, -1, 4 + (name == "sharpen"), -1, 0, -1, 0]).reshape(3, 3)
    if name not in ("identity", "edge"):
        raise ValueError("unknown")
    kernel = np.full((size, size), 0.0 if name == "identity" else -1.0)
    kernel[c, c] = 1.0 if name == "identity" else size * size - 1.0
    return kernel


def filter_image(image, kernel, *, mode="replicate"):
    kh, kw = kernel.shape
    if (kh & kw & 1) == 0:
        raise ValueError("no centre")
    padding = (kh // 2, kw // 2)
    if image.ndim == 2:
        planes = [image]
    else:
        planes = [image[:, :, c] for c in range(3)]
    answers = []
    for plane in planes:
        response = np.rint(correlate2d(pad2d(plane, padding, mode), kernel))
        answers.append(np.minimum(np.maximum(response, 0), 255).astype("u1"))
    return answers[0] if image.ndim == 2 else np.stack(answers, axis=2)


def _check(x, w, padding):
    ph, pw = _both(padding)
    if x.shape[1] != w.shape[1]:
        raise ValueError("channels")
    if w.shape[2] > x.shape[2] + 2 * ph or w.shape[3] > x.shape[3] + 2 * pw:
        raise ValueError("window")


def _size(x, w, stride, padding):
    return tuple(
        output_size(n, k, stride=s, padding=p)
        for n, k, s, p in zip(x.shape[2:], w.shape[2:], _both(stride), _both(padding))
    )


def conv2d_forward(x, w, b, *, stride=1, padding=0):
    _check(x, w, padding)
    kind = _kind(x, w, b)
    sh, sw = _both(stride)
    ho, wo = _size(x, w, stride, padding)
    xp, w = pad2d(x, padding).astype(kind), w.astype(kind)
    y = np.empty((x.shape[0], w.shape[0], ho, wo), kind)
    y[...] = b.astype(kind)[:, None, None]
    for u, v in np.ndindex(*w.shape[2:]):
        seen = xp[:, :, u : u + sh * (ho - 1) + 1 : sh, v : v + sw * (wo - 1) + 1 : sw]
        y += np.swapaxes(np.tensordot(w[:, :, u, v], seen, axes=(1, 1)), 0, 1)
    return y


def conv2d_backward(dy, x, w, *, stride=1, padding=0):
    kind = _kind(dy, x, w)
    (sh, sw), (ph, pw) = _both(stride), _both(padding)
    ho, wo = dy.shape[2:]
    dy, w, xp = dy.astype(kind), w.astype(kind), pad2d(x, padding).astype(kind)
    dxp, dw = np.zeros_like(xp), np.zeros(w.shape, kind)
    for u, v in np.ndindex(*w.shape[2:]):
        here = (slice(None), slice(None), slice(u, u + sh * (ho - 1) + 1, sh), slice(v, v + sw * (wo - 1) + 1, sw))
        dxp[here] += np.swapaxes(np.tensordot(w[:, :, u, v], dy, axes=(0, 1)), 0, 1)
        dw[:, :, u, v] = np.tensordot(dy, xp[here], axes=([0, 2, 3], [0, 2, 3]))
    rows, columns = x.shape[2:]
    return dxp[:, :, ph : ph + rows, pw : pw + columns], dw, np.sum(dy, axis=(0, 2, 3))


def im2col(x, kernel_size, *, stride=1, padding=0):
    (kh, kw), (sh, sw), (ph, pw) = _both(kernel_size), _both(stride), _both(padding)
    n, c, rows, columns = x.shape
    if kh > rows + 2 * ph or kw > columns + 2 * pw:
        raise ValueError("window")
    xp = np.ascontiguousarray(pad2d(x, (ph, pw)))
    ho, wo = (xp.shape[2] - kh) // sh + 1, (xp.shape[3] - kw) // sw + 1
    a, b, p, q = xp.strides
    view = np.lib.stride_tricks.as_strided(xp, (n, c, kh, kw, ho, wo), (a, b, p, q, sh * p, sw * q), writeable=False)
    return view.reshape(n, c * kh * kw, ho * wo)


def conv2d_im2col(x, w, b, *, stride=1, padding=0):
    _check(x, w, padding)
    kind = _kind(x, w, b)
    ho, wo = _size(x, w, stride, padding)
    cols = im2col(x, w.shape[2:], stride=stride, padding=padding).astype(kind)
    wide = cols.transpose(1, 0, 2).reshape(cols.shape[1], -1)  # all images side by side: one single product
    y = w.reshape(w.shape[0], -1).astype(kind) @ wide + b.astype(kind)[:, None]
    return y.reshape(w.shape[0], x.shape[0], ho, wo).swapaxes(0, 1)


def conv2d_parameter_count(in_channels, out_channels, kernel_size, bias=True):
    one_filter = in_channels * math.prod(_both(kernel_size))
    return sum(one_filter + (1 if bias else 0) for _ in range(out_channels))


def linear_parameter_count(in_features, out_features, bias=True):
    return (in_features + 1 if bias else in_features) * out_features


def learn_kernel(x, y, kernel_size, *, lr, steps):
    """The loss is a quadratic in w: |A w - y|^2 / P. Walk with its matrix instead of the image."""
    kind = _kind(x, y)
    kh, kw = _both(kernel_size)
    x, target = x.astype(np.float64), y.astype(np.float64)
    rows, columns = target.shape
    stack = np.array([x[u : u + rows, v : v + columns].ravel() for u, v in np.ndindex(kh, kw)])
    w, losses = np.zeros(kh * kw), []
    for _ in range(steps):
        error = w @ stack - target.ravel()
        losses.append(float(error @ error) / error.size)
        w = w - lr * 2 / error.size * (stack @ error)
    return w.reshape(kh, kw).astype(kind), np.array(losses, kind)


def col2im(cols, size, kernel_size, *, stride=1, padding=0):
    (rows, columns), (kh, kw), (sh, sw), (ph, pw) = map(_both, (size, kernel_size, stride, padding))
    ho, wo = output_size(rows, kh, stride=sh, padding=ph), output_size(columns, kw, stride=sw, padding=pw)
    parts = cols.astype(_kind(cols)).reshape(cols.shape[0], -1, kh, kw, ho, wo)
    xp = np.zeros((*parts.shape[:2], rows + 2 * ph, columns + 2 * pw), parts.dtype)
    for u, v in np.ndindex(kh, kw):
        xp[:, :, u : u + sh * (ho - 1) + 1 : sh, v : v + sw * (wo - 1) + 1 : sw] += parts[:, :, u, v]
    return xp[:, :, ph : ph + rows, pw : pw + columns]
