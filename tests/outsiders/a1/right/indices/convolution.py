"""Explicit index arithmetic: numbers are gathered by flat places and scattered back with np.add.at and np.bincount."""

from __future__ import annotations

import numpy as np


def _two(p):
    return np.broadcast_to(p, 2).tolist()


def _float(*arrays):
    single = all(array.dtype.type is np.float32 for array in arrays)
    return np.dtype("f4") if single else np.dtype("f8")


def convolve(x, h):
    if min(len(x), len(h)) == 0:
        raise ValueError("empty")
    places = np.add.outer(np.arange(len(x)), np.arange(len(h)))
    products = np.multiply.outer(x.astype("f8"), h.astype("f8"))
    return np.bincount(places.ravel(), products.ravel()).astype(_float(x, h))


def cross_correlate(x, h):
    places = np.add.outer(np.arange(len(x) - len(h) + 1), np.arange(len(h))) if len(h) <= len(x) else None
    if places is None:
        raise ValueError("h is longer than x")
    return (x.astype("f8")[places] * h.astype("f8")).sum(1).astype(_float(x, h))


def convolution_matrix(h, n):
    lags = np.subtract.outer(np.arange(n + len(h) - 1), np.arange(n))
    inside = (lags >= 0) & (lags < len(h))
    return np.where(inside, h.astype(_float(h))[np.where(inside, lags, 0)], _float(h).type(0))


def impulse_response(system, length):
    impulse = np.zeros(length)
    impulse.flat[0] = 1.0
    return system(impulse)


def _trials(length, rng):
    """Rows of test signals: 4 kinds at 30 sizes."""
    sizes = np.geomspace(0.01, 100, 30)[:, None]
    kinds = [
        sizes * rng.standard_normal((30, length)),
        sizes * rng.uniform(-1, 1, (30, length)),
        sizes * rng.uniform(0.3, 1, (30, length)),
        np.exp(rng.uniform(np.log(0.01), np.log(100), (30, length))) * rng.choice([-1, 1], (30, length)),
    ]
    return np.concatenate(kinds)


def _same(left, right, *others):
    top = np.abs(np.concatenate([left, right, *others])).max()
    return not (np.abs(left - right) > 1e-8 * top).any()


def is_linear(system, length, *, rng):
    rows = _trials(length, rng)
    for i, j in enumerate(rng.permutation(len(rows)).tolist() + list(range(1, len(rows))) + [0]):
        u, v, (a, b) = rows[i % len(rows)], rows[j], rng.uniform(-2, 2, 2)
        su, sv = system(u.copy()), system(v.copy())
        if not (_same(system(u + v), su + sv, su, sv) and _same(system(a * u), a * su, su)):
            return False
        if not (_same(system(-v), -sv) and _same(system(a * u + b * v), a * su + b * sv, su, sv)):
            return False
    return True


def is_time_invariant(system, length, *, rng):
    for x in _trials(length, rng):
        for k in (1, 2, 3, 5):
            places = np.arange(length)
            ended = np.where(places < length - k, x, 0.0)
            delayed = np.where(places >= k, ended[places - k], 0.0)
            if not _same(system(delayed)[k:], system(ended)[: length - k]):
                return False
    return True


def cosine_similarity(a, b):
    tops = [np.abs(v.astype("f8")).max(initial=0.0) for v in (a, b)]
    if 0 in tops:
        return 0.0
    p, q = (v.astype("f8") / top for v, top in zip((a, b), tops))
    return ((p * q).sum() / np.sqrt((p * p).sum()) / np.sqrt((q * q).sum())).item()


def match_template(x, template):
    n, m = len(x), len(template)
    if n < m:
        raise ValueError("the template is longer than x")
    seen = x.astype("f8")[np.add.outer(np.arange(n - m + 1), np.arange(m))]
    rows = np.vstack([seen, template.astype("f8")[None]])
    varies = np.ptp(rows, axis=1) > 0
    rows = rows - rows[:, [0]]
    rows = rows - rows.mean(axis=1, keepdims=True)
    rows[~varies] = 0
    top = np.abs(rows).max(axis=1, keepdims=True)
    rows = rows / np.where(top > 0, top, 1)
    norms = np.sqrt((rows * rows).sum(axis=1))
    products = norms[:-1] * norms[-1]
    scores = (rows[:-1] * rows[-1]).sum(axis=1) / np.where(products > 0, products, 1)
    return np.where(products > 0, scores, 0.0).astype(_float(x, template))


def output_size(size, kernel_size, *, stride=1, padding=0, dilation=1):
    last_start = size + 2 * padding - (dilation * (kernel_size - 1) + 1)
    if last_start < 0:
        raise ValueError("not one window fits")
    return divmod(last_start, stride)[0] + 1


def pad2d(x, padding, mode="zeros"):
    def sources(n, p):
        """Where each sample comes from; -1 for nowhere."""
        at = np.arange(n + 2 * p) - p
        if mode == "zeros":
            return np.where((at >= 0) & (at < n), at, -1)
        if mode == "replicate":
            return np.minimum(np.maximum(at, 0), n - 1)
        if p >= n:
            raise ValueError("nothing to mirror")
        at = np.where(at < 0, -at, at)
        return np.where(at >= n, 2 * (n - 1) - at, at)

    (H, W), (ph, pw) = x.shape[-2:], _two(padding)
    rows, columns = sources(H, ph), sources(W, pw)
    out = np.take(np.take(x, rows, axis=-2), columns, axis=-1)
    out[..., rows < 0, :] = 0
    out[..., columns < 0] = 0
    return out


def _axis(n, k, s, p):
    """places[i, u]: the sample that place u of window i sees, counted without padding."""
    return s * np.arange(output_size(n, k, stride=s, padding=p))[:, None] - p + np.arange(k)


def _axes(size, kernel_size, stride, padding):
    return [_axis(*four) for four in zip(*map(_two, (size, kernel_size, stride, padding)), strict=True)]


def window_coverage(size, kernel_size, *, stride=1, padding=0):
    counts = []
    for n, places in zip(_two(size), _axes(size, kernel_size, stride, padding)):
        count = np.zeros(n, np.int64)
        np.add.at(count, places[(places >= 0) & (places < n)], 1)
        counts.append(count)
    return counts[0][:, None] * counts[1]


def correlate2d(x, w):
    (H, W), (kh, kw) = x.shape, w.shape
    y, wide = np.zeros((H - kh + 1, W - kw + 1)), x.astype("f8")
    for place, weight in enumerate(w.astype("f8").ravel().tolist()):
        u, v = divmod(place, kw)
        y += weight * wide[u : H - kh + 1 + u, v : W - kw + 1 + v]
    return y.astype(_float(x, w))


def make_kernel(name, size=3, sigma=1.0):
    small = name in ("laplacian", "sharpen")
    if name not in ("identity", "edge", "box", "gaussian") and not small:
        raise ValueError("no such kernel")
    if size < 3 or size % 2 != 1 or (small and size > 3):
        raise ValueError("no such size")
    centre, flat = size * size // 2, np.zeros(size * size)
    if name == "gaussian":
        u, v = np.divmod(np.arange(size * size), size)
        flat = np.exp(-((u - size // 2) ** 2 + (v - size // 2) ** 2) / (2 * sigma * sigma))
        flat = flat / flat.sum()
    elif name == "box":
        flat[:] = 1 / size / size
    elif small:
        flat[1::2], flat[centre] = -1, 4 + (name == "sharpen")
    else:
        flat[:], flat[centre] = (0, 1) if name == "identity" else (-1, size * size - 1)
    return flat.reshape(size, size)


def filter_image(image, kernel, *, mode="replicate"):
    kh, kw = kernel.shape
    if not kh % 2 * (kw % 2):
        raise ValueError("no centre")
    planes = image.reshape(*image.shape[:2], -1)
    out = np.zeros(planes.shape, np.uint8)
    for c in range(planes.shape[2]):
        response = correlate2d(pad2d(planes[:, :, c], (kh // 2, kw // 2), mode), kernel.astype("f8"))
        out[:, :, c] = np.clip(np.around(response), 0, 255)
    return out.reshape(image.shape)


def _gather(x, rows, columns):
    """x at every place that the windows see, zero outside: (N, C, Ho, kh, Wo, kw)."""
    H, W = x.shape[2:]
    r, s = rows[:, :, None, None], columns
    inside = (r >= 0) & (r < H) & (s >= 0) & (s < W)
    seen = x[:, :, np.where(inside, r, 0), np.where(inside, s, 0)]
    return np.where(inside, seen, np.zeros((), x.dtype))


def _scatter(parts, rows, columns, H, W):
    """The transposed map of _gather."""
    r, s = np.broadcast_arrays(rows[:, :, None, None], columns)
    inside = (r >= 0) & (r < H) & (s >= 0) & (s < W)
    x = np.zeros((H * W, *parts.shape[:2]), parts.dtype)
    np.add.at(x, (r * W + s)[inside], parts.transpose(2, 3, 4, 5, 0, 1)[inside])
    return x.transpose(1, 2, 0).reshape(*parts.shape[:2], H, W)


def _check(x, w):
    if w.shape[1] != x.shape[1]:
        raise ValueError("x and w differ in C")


def conv2d_forward(x, w, b, *, stride=1, padding=0):
    _check(x, w)
    seen = _gather(x, *_axes(x.shape[2:], w.shape[2:], stride, padding))
    return np.moveaxis(np.tensordot(seen, w, ((1, 3, 5), (1, 2, 3))) + b, 3, 1)


def conv2d_backward(dy, x, w, *, stride=1, padding=0):
    rows, columns = _axes(x.shape[2:], w.shape[2:], stride, padding)
    dw = np.tensordot(dy, _gather(x, rows, columns), ((0, 2, 3), (0, 2, 4)))
    parts = np.tensordot(dy, w, (1, 0)).transpose(0, 3, 1, 4, 2, 5)
    return _scatter(parts, rows, columns, *x.shape[2:]), dw, dy.sum(axis=(0, 2, 3))


def im2col(x, kernel_size, *, stride=1, padding=0):
    rows, columns = _axes(x.shape[2:], kernel_size, stride, padding)
    seen = _gather(x, rows, columns).transpose(0, 1, 3, 5, 2, 4)
    return seen.reshape(len(x), x.shape[1] * rows.shape[1] * columns.shape[1], len(rows) * len(columns))


def conv2d_im2col(x, w, b, *, stride=1, padding=0):
    _check(x, w)
    rows, columns = _axes(x.shape[2:], w.shape[2:], stride, padding)
    cols = im2col(x, tuple(w.shape[2:]), stride=stride, padding=padding)
    wide = cols.transpose(1, 0, 2).reshape(cols.shape[1], -1)  # all images side by side: one product
    y = w.reshape(len(w), -1) @ wide + b[:, None]
    return y.reshape(len(w), len(x), len(rows), len(columns)).swapaxes(0, 1)


def conv2d_parameter_count(in_channels, out_channels, kernel_size, bias=True):
    kh, kw = _two(kernel_size)
    count = in_channels * out_channels * kh * kw
    return count + out_channels if bias else count


def linear_parameter_count(in_features, out_features, bias=True):
    return conv2d_parameter_count(in_features, out_features, 1, bias)


def learn_kernel(x, y, kernel_size, *, lr, steps):
    """The same path in the small: the gradient needs only two sums over all windows."""
    kh, kw = _two(kernel_size)
    rows, columns = _axes(x.shape, (kh, kw), 1, 0)
    A = x.astype("f8")[rows[:, None, :, None], columns[None, :, None, :]].reshape(y.size, kh * kw)
    target, w, losses = y.astype("f8").ravel(), np.zeros(kh * kw), np.zeros(steps)
    for t in range(steps):
        error = A @ w - target
        losses[t] = error @ error / y.size
        w = w - 2 * lr / y.size * (error @ A)
    return w.reshape(kh, kw).astype(x.dtype), losses.astype(x.dtype)


def col2im(cols, size, kernel_size, *, stride=1, padding=0):
    rows, columns = _axes(size, kernel_size, stride, padding)
    (Ho, kh), (Wo, kw) = rows.shape, columns.shape
    parts = cols.reshape(len(cols), cols.shape[1] // (kh * kw), kh, kw, Ho, Wo).transpose(0, 1, 4, 2, 5, 3)
    return _scatter(parts, rows, columns, *_two(size))
