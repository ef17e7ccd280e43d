"""Assignment 1, by recursion: halve the problem until it is trivial, then put the parts together."""

from __future__ import annotations

from functools import reduce
from itertools import product

import numpy as np


def _common(*arrays):
    kind = reduce(np.promote_types, [a.dtype for a in arrays])
    return kind if kind.kind == "f" else np.dtype(np.float64)


def _both(p):
    return p if isinstance(p, tuple) else (p, p)


def _halves(start, stop):
    middle = (start + stop) // 2
    return (start, middle), (middle, stop)


def _convolve(x, h):
    """x and h not empty, of the same dtype. The longer one is cut in two; answers add where they overlap."""
    if len(x) < len(h):
        return _convolve(h, x)
    if len(x) == 1:
        return x * h
    if len(h) == 1:
        return x * h[0]
    middle = len(x) // 2
    y = np.zeros(len(x) + len(h) - 1, x.dtype)
    left, right = _convolve(x[:middle], h), _convolve(x[middle:], h)
    y[: len(left)] += left
    y[middle:] += right
    return y


def convolve(x, h):
    if not len(x) or not len(h):
        raise ValueError("a signal has no samples")
    dtype = _common(x, h)
    return _convolve(x.astype(dtype), h.astype(dtype))


def _correlate(x, h):
    """h is cut in two: its halves look at shifted signals."""
    if len(h) == 1:
        return x * h[0]
    middle = len(h) // 2
    count = len(x) - len(h) + 1
    return _correlate(x, h[:middle])[:count] + _correlate(x[middle:], h[middle:])[:count]


def cross_correlate(x, h):
    if len(h) > len(x):
        raise ValueError("h is longer than x")
    dtype = _common(x, h)
    return _correlate(x.astype(dtype), h.astype(dtype))


def convolution_matrix(h, n):
    dtype = _common(h)
    if n == 1:
        return h.astype(dtype)[:, None]
    left, right = convolution_matrix(h, n // 2), convolution_matrix(h, n - n // 2)
    matrix = np.zeros((n + len(h) - 1, n), dtype)
    matrix[: left.shape[0], : left.shape[1]] = left
    matrix[n // 2 :, n // 2 :] = right
    return matrix


def impulse_response(system, length):
    return system(np.concatenate([[1.0], np.zeros(length - 1)])).copy()


def _agree(p, q, *scale):
    largest = reduce(max, (float(np.max(np.abs(s))) for s in (p, q, *scale)))
    return bool(np.max(np.abs(p - q)) <= 1e-9 * largest)


def _bisect(low, high, depth):
    """Amplitudes between low and high, each the geometric mean of two others."""
    if depth == 0:
        return []
    middle = (low * high) ** 0.5
    return [*_bisect(low, middle, depth - 1), middle, *_bisect(middle, high, depth - 1)]


AMPLITUDES = [0.005, *_bisect(0.005, 200.0, 4), 200.0]


def is_linear(system, length, *, rng):
    def listen(x):
        return np.array(system(x.copy()))

    for amplitude, partner in product(AMPLITUDES, [0.1, 1.0, 7.0]):
        u = amplitude * rng.uniform(-1, 1, length)
        v = partner * amplitude * rng.uniform(-1, 1, length)
        factor = rng.normal() * 3
        a, b = listen(u), listen(v)
        additive = _agree(listen(u + v), a + b, a, b)
        homogeneous = _agree(listen(factor * u), factor * a) and _agree(listen(-v), -b)
        if not (additive and homogeneous):
            return False
    return True


def is_time_invariant(system, length, *, rng):
    def listen(x):
        return np.array(system(x.copy()))

    def holds(amplitude, k):
        x = np.concatenate([amplitude * rng.normal(size=length - k), np.zeros(k)])
        delayed = np.concatenate([np.zeros(k), x[: length - k]])
        y, z = listen(x), listen(delayed)
        return _agree(z[k:], y[: length - k], y, z)

    return all(holds(amplitude, k) for amplitude in [0.0, *AMPLITUDES] for k in range(1, length) for _ in range(2))


def _hypot(a):
    """The norm, as hypotenuses over hypotenuses: no square can overflow or vanish."""
    if len(a) == 0:
        return 0.0
    if len(a) == 1:
        return abs(float(a[0]))
    middle = len(a) // 2
    return float(np.hypot(_hypot(a[:middle]), _hypot(a[middle:])))


def _dot(a, b):
    if len(a) == 1:
        return float(a[0]) * float(b[0])
    middle = len(a) // 2
    return _dot(a[:middle], b[:middle]) + _dot(a[middle:], b[middle:])


def cosine_similarity(a, b):
    a, b = a.astype(np.float64), b.astype(np.float64)
    norm_a, norm_b = _hypot(a), _hypot(b)
    if norm_a == 0 or norm_b == 0:
        return 0.0
    return _dot(a / norm_a, b / norm_b)


def _mean(a):
    """Mean by halves."""
    if len(a) == 1:
        return a[0]
    middle = len(a) // 2
    return _mean(a[:middle]) * (middle / len(a)) + _mean(a[middle:]) * ((len(a) - middle) / len(a))


def _constant(a):
    return len(a) == 1 or (a[0] == a[-1] and _constant(a[: len(a) // 2]) and _constant(a[len(a) // 2 :]) and a[0] == a[len(a) // 2])


def match_template(x, template):
    n, m = len(x), len(template)
    if m > n:
        raise ValueError("the template is longer than x")
    dtype = _common(x, template)
    signal, form = x.astype(np.float64), template.astype(np.float64)

    def score(window):
        if _constant(window) or _constant(form):
            return 0.0
        return cosine_similarity(window - _mean(window), form - _mean(form))

    return np.array([score(signal[i : i + m]) for i in range(n - m + 1)], dtype)


def output_size(size, kernel_size, *, stride=1, padding=0, dilation=1):
    if padding:
        return output_size(size + 2 * padding, kernel_size, stride=stride, dilation=dilation)
    if dilation > 1:
        return output_size(size, dilation * (kernel_size - 1) + 1, stride=stride)
    if kernel_size > size:
        raise ValueError("no window fits")
    return (size - kernel_size) // stride + 1


def _one_axis(x, p, mode, axis):
    """Pad one axis: first the middle one of the axes is brought to the front."""
    x = np.moveaxis(x, axis, 0)
    size = len(x)
    if mode == "zeros":
        frame = np.zeros((p, *x.shape[1:]), x.dtype)
        parts = [frame, x, frame]
    elif mode == "replicate":
        parts = [np.repeat(x[:1], p, axis=0), x, np.repeat(x[-1:], p, axis=0)]
    elif mode == "reflect":
        if p >= size:
            raise ValueError("no sample to mirror")
        parts = [x[1 : p + 1][::-1], x, x[size - 1 - p : size - 1][::-1]]
    else:
        raise ValueError("unknown mode")
    return np.moveaxis(np.concatenate(parts), 0, axis)


def pad2d(x, padding, mode="zeros"):
    ph, pw = _both(padding)
    return _one_axis(_one_axis(x, ph, mode, -2), pw, mode, -1)


def _count(size, k, s, p):
    counts = np.zeros(size + 2 * p, np.int64)

    def mark(first, last):
        if last - first == 1:
            counts[first * s : first * s + k] += 1
        elif last > first:
            for half in _halves(first, last):
                mark(*half)

    mark(0, output_size(size, k, stride=s, padding=p))
    return counts[p : p + size]


def window_coverage(size, kernel_size, *, stride=1, padding=0):
    rows, columns = (_count(*four) for four in zip(*map(_both, (size, kernel_size, stride, padding))))
    return rows[:, None] * columns[None, :]


def correlate2d(x, w):
    kh, kw = w.shape
    dtype = _common(x, w)
    if kh == 1 and kw == 1:
        return x.astype(dtype) * w.astype(dtype)[0, 0]
    if kw > kh:
        return correlate2d(x.T, w.T).T
    middle, rows = kh // 2, x.shape[0] - kh + 1
    return correlate2d(x, w[:middle])[:rows] + correlate2d(x[middle:], w[middle:])[:rows]


def make_kernel(name, size=3, sigma=1.0):
    if size < 3 or size % 2 == 0:
        raise ValueError("even or too small")
    if name in ("laplacian", "sharpen") and size > 3:
        raise ValueError("only 3 x 3")
    if name == "identity":
        return pad2d(np.ones((1, 1)), size // 2)
    if name == "box":
        return np.ones((size, size)) / (size * size)
    if name == "edge":
        return size * size * make_kernel("identity", size) - np.ones((size, size))
    if name == "laplacian":
        return (make_kernel("edge") - np.array([[-1, 0, -1], [0, 4, 0], [-1, 0, -1]])).astype(float)
    if name == "sharpen":
        return make_kernel("identity") + make_kernel("laplacian")
    if name == "gaussian":
        squares = np.square(np.arange(size) - size // 2, dtype=np.float64)
        samples = np.exp(-np.add.outer(squares, squares) / 2 / sigma / sigma)
        return samples / np.sum(samples)
    raise ValueError("no such kernel")


def filter_image(image, kernel, *, mode="replicate"):
    kh, kw = kernel.shape
    if kh % 2 == 0 or kw % 2 == 0:
        raise ValueError("no centre")
    if image.ndim == 3:
        return np.dstack([filter_image(channel, kernel, mode=mode) for channel in image.transpose(2, 0, 1)])
    response = correlate2d(pad2d(image.astype(np.float64), (kh // 2, kw // 2), mode), kernel)
    return np.clip(np.rint(response), 0, 255).astype(np.uint8)


def conv2d_forward(x, w, b, *, stride=1, padding=0):
    if x.shape[1] != w.shape[1]:
        raise ValueError("x and w differ in C")
    (sh, sw), (ph, pw), (kh, kw) = _both(stride), _both(padding), w.shape[2:]
    if kh > x.shape[2] + 2 * ph or kw > x.shape[3] + 2 * pw:
        raise ValueError("the window is too large")
    xp = pad2d(x, (ph, pw))

    def maps(n, filters):
        return reduce(np.add, [correlate2d(xp[n, c], filters[c]) for c in range(len(filters))])[::sh, ::sw]

    y = np.array([[maps(n, filters) for filters in w] for n in range(len(x))])
    return (y + b.reshape(1, -1, 1, 1)).astype(_common(x, w, b))


def conv2d_backward(dy, x, w, *, stride=1, padding=0):
    (sh, sw), (ph, pw) = _both(stride), _both(padding)
    kh, kw = w.shape[2:]
    dtype = _common(dy, x, w)
    xp = pad2d(x, (ph, pw)).astype(dtype)
    dy, w = dy.astype(dtype), w.astype(dtype)

    def back(n0, n1):
        """dxp of the images n0 ... n1 - 1, and their dw and db."""
        if n1 - n0 > 1:
            one, two = (back(*half) for half in _halves(n0, n1))
            return np.concatenate([one[0], two[0]]), one[1] + two[1], one[2] + two[2]
        image, g = xp[n0], dy[n0]
        dxp, dw = np.zeros_like(image), np.zeros_like(w)
        for i, j in product(range(g.shape[1]), range(g.shape[2])):
            there = (slice(None), slice(i * sh, i * sh + kh), slice(j * sw, j * sw + kw))
            dxp[there] += (g[:, i, j, None, None, None] * w).sum(axis=0)
            dw += g[:, i, j, None, None, None] * image[there]
        return dxp[None], dw, g.sum(axis=(1, 2))

    dxp, dw, db = back(0, len(x))
    return dxp[:, :, ph : ph + x.shape[2], pw : pw + x.shape[3]], dw, db


def im2col(x, kernel_size, *, stride=1, padding=0):
    (kh, kw), (sh, sw), (ph, pw) = _both(kernel_size), _both(stride), _both(padding)
    N, C, H, W = x.shape
    Ho, Wo = output_size(H, kh, stride=sh, padding=ph), output_size(W, kw, stride=sw, padding=pw)
    xp = pad2d(x, (ph, pw))
    rows = [
        xp[:, c, u : u + sh * (Ho - 1) + 1 : sh, v : v + sw * (Wo - 1) + 1 : sw].reshape(N, -1)
        for c, u, v in product(range(C), range(kh), range(kw))
    ]
    return np.stack(rows, axis=1)


def conv2d_im2col(x, w, b, *, stride=1, padding=0):
    if x.shape[1] != w.shape[1]:
        raise ValueError("x and w differ in C")
    cols = im2col(x, w.shape[2:], stride=stride, padding=padding)
    N, K, L = cols.shape
    matrix = w.reshape(len(w), K)

    def multiply(first, last):
        """Inner products by halves as well, until the blocks are small."""
        if last - first <= 16:
            return matrix[:, first:last] @ cols[:, first:last]
        return reduce(np.add, (multiply(*half) for half in _halves(first, last)))

    sh, ph = _both(stride)[0], _both(padding)[0]
    Ho = output_size(x.shape[2], w.shape[2], stride=sh, padding=ph)
    return (multiply(0, K) + b[:, None]).reshape(N, len(w), Ho, L // Ho)


def conv2d_parameter_count(in_channels, out_channels, kernel_size, bias=True):
    if out_channels > 1:
        return sum(conv2d_parameter_count(in_channels, k, kernel_size, bias) for k in (out_channels // 2, out_channels - out_channels // 2))
    kh, kw = _both(kernel_size)
    return out_channels * (in_channels * kh * kw + int(bias))


def linear_parameter_count(in_features, out_features, bias=True):
    if out_features == 0:
        return 0
    return out_features * in_features if not bias else out_features + linear_parameter_count(in_features, out_features, False)


def learn_kernel(x, y, kernel_size, *, lr, steps):
    dtype = _common(x, y)
    image, target = x.astype(dtype), y.astype(dtype)

    def descend(w, losses):
        while len(losses) < steps:  # recursion would run out of stack here
            error = correlate2d(image, w) - target
            losses.append(np.mean(error * error))
            w = w - (2 * float(lr) / error.size) * correlate2d(image, error)
        return w, losses

    w, losses = descend(np.zeros(_both(kernel_size), dtype), [])
    return w, np.array(losses, dtype)


def col2im(cols, size, kernel_size, *, stride=1, padding=0):
    (H, W), (kh, kw), (sh, sw), (ph, pw) = map(_both, (size, kernel_size, stride, padding))
    Ho, Wo = output_size(H, kh, stride=sh, padding=ph), output_size(W, kw, stride=sw, padding=pw)
    pieces = cols.astype(_common(cols)).reshape(len(cols), -1, kh, kw, Ho, Wo)

    def lay(first, last):
        """The windows first ... last - 1, counted row by row, added up on an empty image."""
        if last - first == 1:
            i, j = divmod(first, Wo)
            xp = np.zeros((*pieces.shape[:2], H + 2 * ph, W + 2 * pw), pieces.dtype)
            xp[:, :, i * sh : i * sh + kh, j * sw : j * sw + kw] = pieces[..., i, j]
            return xp
        return reduce(np.add, (lay(*half) for half in _halves(first, last)))

    return lay(0, Ho * Wo)[:, :, ph : ph + H, pw : pw + W]
