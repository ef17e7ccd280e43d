"""Loops only: every exercise by its definition, with whole numbers as indices."""
from __future__ import annotations

import math

import numpy as np


def _type(*arrays):
    return np.float32 if all(a.dtype == np.float32 for a in arrays) else np.float64


def _pair(p):
    return (p, p) if not isinstance(p, tuple) else p


def convolve(x, h):
    n, m = len(x), len(h)
    if n == 0 or m == 0:
        raise ValueError("empty signal")
    dtype = _type(x, h)
    x, h = x.astype(dtype), h.astype(dtype)
    y = np.zeros(n + m - 1, dtype)
    for i in range(n + m - 1):
        for k in range(n):
            if 0 <= i - k < m:
                y[i] += x[k] * h[i - k]
    return y


def cross_correlate(x, h):
    n, m = len(x), len(h)
    if m > n:
        raise ValueError("template longer than signal")
    dtype = _type(x, h)
    x, h = x.astype(dtype), h.astype(dtype)
    y = np.zeros(n - m + 1, dtype)
    for i in range(n - m + 1):
        for k in range(m):
            y[i] += x[i + k] * h[k]
    return y


def convolution_matrix(h, n):
    m = len(h)
    matrix = np.zeros((n + m - 1, n), _type(h))
    for column in range(n):
        for row in range(m):
            matrix[column + row, column] = h[row]
    return matrix


def impulse_response(system, length):
    impulse = np.zeros(length)
    impulse[0] = 1
    return np.array(system(impulse), dtype=np.float64)


AMPLITUDES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 40.0, 60.0, 80.0, 90.0, 100.0)


def _signals(count, amplitude, rng):
    """Several kinds of signals whose samples are no larger than the amplitude."""
    yield amplitude * rng.uniform(-1, 1, count)
    yield amplitude * rng.choice([-1.0, 1.0], count)
    yield amplitude * rng.uniform(0.9, 1, count) * rng.choice([-1.0, 1.0], count)
    yield np.full(count, amplitude)
    yield np.full(count, -amplitude)
    yield amplitude * rng.choice([-1.0, 0.0, 0.0, 1.0], count)
    yield np.clip(rng.standard_normal(count), -3, 3) * amplitude / 3


def _differ(a, b, *others):
    size = 0.0
    for y in (a, b, *others):
        for value in y:
            size = max(size, abs(value))
    for p, q in zip(a, b):
        if not abs(p - q) <= 1e-9 * size:
            return True
    return False


def is_linear(system, length, *, rng):
    for amplitude in AMPLITUDES:
        for u in _signals(length, amplitude, rng):
            su = system(u.copy())
            for v in (amplitude * rng.uniform(-1, 1, length), u[::-1].copy(), rng.uniform(-1, 1, length)):
                sv = system(v.copy())
                if _differ(system(u + v), su + sv, su, sv):
                    return False
            for a in (-1.0, 0.0, 0.5, 2.0, -0.3, 1.7):
                if _differ(system(a * u), a * su, su):
                    return False
    return True


def is_time_invariant(system, length, *, rng):
    for amplitude in AMPLITUDES:
        for k in range(1, length):
            for some in _signals(length - k, amplitude, rng):
                x, late = np.zeros(length), np.zeros(length)
                x[: length - k] = some
                late[k:] = some
                if _differ(system(late)[k:], system(x)[: length - k]):
                    return False
    return True


def cosine_similarity(a, b):
    a, b = a.astype(np.float64), b.astype(np.float64)
    dot = aa = bb = 0.0
    for p, q in zip(a, b):
        dot += float(p) * float(q)
        aa += float(p) * float(p)
        bb += float(q) * float(q)
    return dot / (math.sqrt(aa) * math.sqrt(bb)) if aa > 0 and bb > 0 else 0.0


def _centred(v):
    v = v - v[0]
    for _ in range(2):
        total = 0.0
        for value in v:
            total += value
        v = v - total / len(v)
    return v


def match_template(x, template):
    n, m = len(x), len(template)
    if m > n:
        raise ValueError("template longer than signal")
    dtype = _type(x, template)
    x, template = x.astype(np.float64), template.astype(np.float64)
    scores = np.zeros(n - m + 1, dtype)
    if all(value == template[0] for value in template):
        return scores
    t = _centred(template)
    t = t / max(abs(t))
    for i in range(n - m + 1):
        window = x[i : i + m]
        if all(value == window[0] for value in window):
            continue
        c = _centred(window)
        c = c / max(abs(c))
        scores[i] = cosine_similarity(c, t)
    return scores


def output_size(size, kernel_size, *, stride=1, padding=0, dilation=1):
    count, first = 0, 0
    while first + dilation * (kernel_size - 1) < size + 2 * padding:
        count, first = count + 1, first + stride
    if count == 0:
        raise ValueError("no window fits")
    return count


def pad2d(x, padding, mode="zeros"):
    ph, pw = _pair(padding)
    *lead, height, width = x.shape
    if mode == "reflect" and (ph >= height or pw >= width):
        raise ValueError("nothing to mirror")
    y = np.zeros((*lead, height + 2 * ph, width + 2 * pw), x.dtype)
    for r in range(height + 2 * ph):
        for s in range(width + 2 * pw):
            i, j = r - ph, s - pw
            if mode == "zeros":
                if not (0 <= i < height and 0 <= j < width):
                    continue
            elif mode == "replicate":
                i, j = min(max(i, 0), height - 1), min(max(j, 0), width - 1)
            else:
                i, j = abs(i), abs(j)
                i, j = min(i, 2 * (height - 1) - i), min(j, 2 * (width - 1) - j)
            y[..., r, s] = x[..., i, j]
    return y


def window_coverage(size, kernel_size, *, stride=1, padding=0):
    (height, width), (kh, kw), (sh, sw), (ph, pw) = map(_pair, (size, kernel_size, stride, padding))
    counts = np.zeros((height, width), np.int64)
    for i in range(output_size(height, kh, stride=sh, padding=ph)):
        for j in range(output_size(width, kw, stride=sw, padding=pw)):
            for u in range(kh):
                for v in range(kw):
                    r, s = sh * i + u - ph, sw * j + v - pw
                    if 0 <= r < height and 0 <= s < width:
                        counts[r, s] += 1
    return counts


def correlate2d(x, w):
    dtype = _type(x, w)
    (height, width), (kh, kw) = x.shape, w.shape
    x, w = x.astype(dtype), w.astype(dtype)
    y = np.zeros((height - kh + 1, width - kw + 1), dtype)
    for u in range(kh):
        for v in range(kw):
            y += w[u, v] * x[u : u + height - kh + 1, v : v + width - kw + 1]
    return y


def make_kernel(name, size=3, sigma=1.0):
    if size < 3 or size % 2 == 0:
        raise ValueError("size")
    if name in ("laplacian", "sharpen") and size != 3:
        raise ValueError("3 x 3 only")
    if name not in ("identity", "edge", "laplacian", "sharpen", "box", "gaussian"):
        raise ValueError("no such kernel")
    kernel, c = np.zeros((size, size)), size // 2
    for i in range(size):
        for j in range(size):
            u, v = i - c, j - c
            centre = u == 0 and v == 0
            near = abs(u) + abs(v) == 1
            if name == "identity":
                kernel[i, j] = centre
            elif name == "edge":
                kernel[i, j] = size * size * centre - 1
            elif name == "laplacian":
                kernel[i, j] = 4 * centre - near
            elif name == "sharpen":
                kernel[i, j] = 5 * centre - near
            elif name == "box":
                kernel[i, j] = 1 / (size * size)
            else:
                kernel[i, j] = math.exp(-((u / sigma) * (u / sigma) + (v / sigma) * (v / sigma)) / 2)
    if name == "gaussian":
        kernel = kernel / float(kernel.sum())
    return kernel


def filter_image(image, kernel, *, mode="replicate"):
    kh, kw = kernel.shape
    if kh % 2 == 0 or kw % 2 == 0:
        raise ValueError("no centre")
    result = np.zeros(image.shape, np.uint8)
    layers = [(image, result)] if image.ndim == 2 else [(image[..., c], result[..., c]) for c in range(image.shape[2])]
    for plane, out in layers:
        response = correlate2d(pad2d(plane, (kh // 2, kw // 2), mode), kernel)
        for i in range(response.shape[0]):
            for j in range(response.shape[1]):
                out[i, j] = min(255, max(0, round(float(response[i, j]))))
    return result


def _sizes(x, kh, kw, sh, sw, ph, pw):
    height, width = x.shape[2] + 2 * ph, x.shape[3] + 2 * pw
    if kh > height or kw > width:
        raise ValueError("the window is larger than the padded image")
    return (height - kh) // sh + 1, (width - kw) // sw + 1


def conv2d_forward(x, w, b, *, stride=1, padding=0):
    dtype = _type(x, w, b)
    (sh, sw), (ph, pw) = _pair(stride), _pair(padding)
    filters, channels, kh, kw = w.shape
    if x.shape[1] != channels:
        raise ValueError("channels")
    ho, wo = _sizes(x, kh, kw, sh, sw, ph, pw)
    xp, w, b = pad2d(x, (ph, pw)).astype(dtype), w.astype(dtype), b.astype(dtype)
    y = np.zeros((len(x), filters, ho, wo), dtype)
    for n in range(len(x)):
        for f in range(filters):
            for i in range(ho):
                for j in range(wo):
                    total = b[f]
                    for c in range(channels):
                        for u in range(kh):
                            for v in range(kw):
                                total = total + xp[n, c, sh * i + u, sw * j + v] * w[f, c, u, v]
                    y[n, f, i, j] = total
    return y


def conv2d_backward(dy, x, w, *, stride=1, padding=0):
    dtype = _type(dy, x, w)
    (sh, sw), (ph, pw) = _pair(stride), _pair(padding)
    filters, channels, kh, kw = w.shape
    height, width = x.shape[2:]
    dx, dw, db = np.zeros(x.shape, dtype), np.zeros(w.shape, dtype), np.zeros(filters, dtype)
    for n in range(dy.shape[0]):
        for f in range(filters):
            for i in range(dy.shape[2]):
                for j in range(dy.shape[3]):
                    g = dtype(dy[n, f, i, j])
                    db[f] += g
                    for u in range(kh):
                        r = sh * i + u - ph
                        for v in range(kw):
                            s = sw * j + v - pw
                            if 0 <= r < height and 0 <= s < width:
                                for c in range(channels):
                                    dx[n, c, r, s] += g * dtype(w[f, c, u, v])
                                    dw[f, c, u, v] += g * dtype(x[n, c, r, s])
    return dx, dw, db


def im2col(x, kernel_size, *, stride=1, padding=0):
    (kh, kw), (sh, sw), (ph, pw) = _pair(kernel_size), _pair(stride), _pair(padding)
    ho, wo = _sizes(x, kh, kw, sh, sw, ph, pw)
    n, channels, height, width = x.shape
    xp = np.zeros((n, channels, height + 2 * ph, width + 2 * pw), x.dtype)
    xp[:, :, ph : ph + height, pw : pw + width] = x
    cols = np.zeros((n, channels * kh * kw, ho * wo), x.dtype)
    for c in range(channels):
        for u in range(kh):
            for v in range(kw):
                seen = xp[:, c, u : u + sh * ho : sh, v : v + sw * wo : sw]
                cols[:, (c * kh + u) * kw + v] = seen[:, :ho, :wo].reshape(n, ho * wo)
    return cols


def conv2d_im2col(x, w, b, *, stride=1, padding=0):
    dtype = _type(x, w, b)
    filters, channels, kh, kw = w.shape
    if x.shape[1] != channels:
        raise ValueError("channels")
    ho, wo = _sizes(x, kh, kw, *_pair(stride), *_pair(padding))
    cols = im2col(x, (kh, kw), stride=stride, padding=padding).astype(dtype)
    y = w.reshape(filters, -1).astype(dtype) @ cols + b.astype(dtype).reshape(filters, 1)
    return y.reshape(len(x), filters, ho, wo)


def conv2d_parameter_count(in_channels, out_channels, kernel_size, bias=True):
    total = 0
    for _ in range(out_channels):
        total += in_channels * _pair(kernel_size)[0] * _pair(kernel_size)[1]
        if bias:
            total += 1
    return total


def linear_parameter_count(in_features, out_features, bias=True):
    total = 0
    for _ in range(out_features):
        total += in_features
        if bias:
            total += 1
    return total


def learn_kernel(x, y, kernel_size, *, lr, steps):
    dtype = _type(x, y)
    kh, kw = _pair(kernel_size)
    x, y = x.astype(dtype), y.astype(dtype)
    w, losses = np.zeros((kh, kw), dtype), np.zeros(steps, dtype)
    ho, wo = y.shape
    for step in range(steps):
        error = correlate2d(x, w) - y
        losses[step] = (error * error).sum() / (ho * wo)
        gradient = np.zeros((kh, kw), dtype)
        for u in range(kh):
            for v in range(kw):
                gradient[u, v] = 2 * (error * x[u : u + ho, v : v + wo]).sum() / (ho * wo)
        w = w - lr * gradient
    return w, losses


def col2im(cols, size, kernel_size, *, stride=1, padding=0):
    (height, width), (kh, kw), (sh, sw), (ph, pw) = map(_pair, (size, kernel_size, stride, padding))
    ho, wo = output_size(height, kh, stride=sh, padding=ph), output_size(width, kw, stride=sw, padding=pw)
    channels = cols.shape[1] // (kh * kw)
    x = np.zeros((len(cols), channels, height, width), _type(cols))
    for c in range(channels):
        for u in range(kh):
            for v in range(kw):
                for i in range(ho):
                    for j in range(wo):
                        r, s = sh * i + u - ph, sw * j + v - pw
                        if 0 <= r < height and 0 <= s < width:
                            x[:, c, r, s] += cols[:, (c * kh + u) * kw + v, i * wo + j]
    return x
