"""As few statements as possible: sliding windows and einsum."""
from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view as windows


def two(p):
    return p if isinstance(p, tuple) else (p, p)


def floats(*arrays):
    dtype = np.float32 if {a.dtype for a in arrays} == {np.dtype(np.float32)} else np.float64
    return [a.astype(dtype) for a in arrays]


def _need(holds):
    if not holds:
        raise ValueError("an argument is out of range")


def _frame(x, p):
    return np.concatenate([np.zeros(p, x.dtype), x, np.zeros(p, x.dtype)])


def convolve(x, h):
    _need(x.size and h.size)
    x, h = floats(x, h)
    return np.einsum("ik,k->i", windows(_frame(x, h.size - 1), h.size), h[::-1])


def cross_correlate(x, h):
    _need(h.size <= x.size)
    x, h = floats(x, h)
    return np.einsum("ik,k->i", windows(x, h.size), h)


def convolution_matrix(h, n):
    return windows(_frame(*floats(h), n - 1), n)[:, ::-1]


def impulse_response(system, length):
    return system(np.eye(1, length)[0])


def _loud(rng, length):
    for size in np.geomspace(0.01, 100, 41):
        signs = rng.choice([-1.0, 1.0], length)
        yield from (float(size) * s for s in (signs, rng.uniform(-1, 1, length), np.ones(length), -np.ones(length)))


def _same(a, b, *more):
    return bool(np.abs(a - b).max() <= 1e-10 * max(np.abs(y).max() for y in (a, b, *more)))


def is_linear(system, length, *, rng):
    return all(
        _same(system(u + a * v), system(u) + a * system(v), system(u), a * system(v))
        for u in _loud(rng, length)
        for v in (rng.uniform(-1, 1, length) * float(np.abs(u).max()), u.copy(), np.zeros(length))
        for a in (1.0, -1.0, 0.25, -2.5)
    )


def is_time_invariant(system, length, *, rng):
    return all(
        _same(
            system(np.concatenate([np.zeros(k), s[: length - k]]))[k:],
            system(np.concatenate([s[: length - k], np.zeros(k)]))[: length - k],
        )
        for s in _loud(rng, length)
        for k in range(1, length)
    )


def cosine_similarity(a, b):
    a, b = np.asarray(a, float), np.asarray(b, float)
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b))) if a.any() and b.any() else 0.0


def _unit(rows):
    """Rows without their mean and with length 1; constant ones become 0."""
    rows = rows - rows[..., :1]
    rows = rows - rows.mean(-1, keepdims=True) * (rows != 0).any(-1, keepdims=True)
    rows = rows / np.where(rows.any(-1, keepdims=True), np.abs(rows).max(-1, keepdims=True), 1)
    return rows / np.where(rows.any(-1, keepdims=True), np.linalg.norm(rows, axis=-1, keepdims=True), 1)


def match_template(x, template):
    _need(template.size <= x.size)
    dtype = floats(x, template)[0].dtype
    return (_unit(windows(x.astype(float), template.size)) @ _unit(template.astype(float))).astype(dtype)


def output_size(size, kernel_size, *, stride=1, padding=0, dilation=1):
    _need((room := size + 2 * padding - dilation * (kernel_size - 1) - 1) >= 0)
    return room // stride + 1


def pad2d(x, padding, mode="zeros"):
    (ph, pw), (h, w) = two(padding), x.shape[-2:]
    _need(mode != "reflect" or (ph < h and pw < w))
    r, s = np.arange(-ph, h + ph), np.arange(-pw, w + pw)
    if mode == "reflect":
        r, s = h - 1 - np.abs(h - 1 - np.abs(r)), w - 1 - np.abs(w - 1 - np.abs(s))
    y = x[..., np.clip(r, 0, h - 1)[:, None], np.clip(s, 0, w - 1)]
    if mode == "zeros":
        y[..., (r < 0) | (r >= h), :], y[..., (s < 0) | (s >= w)] = 0, 0
    return y


def window_coverage(size, kernel_size, *, stride=1, padding=0):
    def along(n, k, s, p):
        starts = s * np.arange(output_size(n, k, stride=s, padding=p))[:, None] - p
        return ((starts <= np.arange(n)) & (np.arange(n) < starts + k)).sum(0, dtype=np.int64)

    return np.einsum("i,j->ij", *map(along, *map(two, (size, kernel_size, stride, padding))))


def correlate2d(x, w):
    x, w = floats(x, w)
    return np.einsum("ijuv,uv->ij", windows(x, w.shape), w)


def make_kernel(name, size=3, sigma=1.0):
    _need(size >= 3 and size % 2)
    eye, ones, u = np.zeros((size, size)), np.ones((size, size)), np.arange(size) - size // 2
    eye[size // 2, size // 2] = 1
    bell = np.exp(-np.square(u / sigma) / 2)
    cross = np.array([[0.0, -1.0, 0.0], [-1.0, 4.0, -1.0], [0.0, -1.0, 0.0]])
    made = {"identity": eye, "edge": size**2 * eye - 1, "box": ones / size**2}
    made["gaussian"] = np.einsum("i,j->ij", bell / bell.sum(), bell / bell.sum())
    made |= {"laplacian": cross, "sharpen": cross + eye} if size == 3 else {}
    _need(name in made)
    return made[name]


def filter_image(image, kernel, *, mode="replicate"):
    kh, kw = kernel.shape
    _need(kh % 2 and kw % 2)
    planes = np.moveaxis(image.reshape(*image.shape[:2], -1), 2, 0)
    found = [correlate2d(pad2d(plane, (kh // 2, kw // 2), mode), kernel) for plane in planes]
    return np.stack(found, -1).reshape(image.shape).round().clip(0, 255).astype(np.uint8)


def _seen(x, kernel_size, stride, padding):
    (ph, pw), size, (sh, sw) = two(padding), two(kernel_size), two(stride)
    _need(all(k <= n for k, n in zip(size, (x.shape[2] + 2 * ph, x.shape[3] + 2 * pw))))
    return windows(pad2d(x, (ph, pw)), size, axis=(2, 3))[:, :, ::sh, ::sw]


def conv2d_forward(x, w, b, *, stride=1, padding=0):
    _need(x.shape[1] == w.shape[1])
    x, w, b = floats(x, w, b)
    return np.einsum("ncijuv,fcuv->nfij", _seen(x, w.shape[2:], stride, padding), w) + b[:, None, None]


def conv2d_backward(dy, x, w, *, stride=1, padding=0):
    dy, x, w = floats(dy, x, w)
    pixels = np.arange(x[0, 0].size).reshape(1, 1, *x.shape[2:]) + 1  # 0 is the frame
    where = _seen(pixels, w.shape[2:], stride, padding)[0, 0]
    shares = np.einsum("nfij,fcuv->ijuvnc", dy, w).reshape(where.size, -1)
    order = np.argsort(where, axis=None, kind="stable")
    keys, begin = np.unique(where.ravel()[order], return_index=True)
    dx = np.zeros((pixels.size + 1, *x.shape[:2]), dy.dtype).reshape(pixels.size + 1, -1)
    dx[keys] = np.add.reduceat(shares[order], begin)
    dx = np.moveaxis(dx[1:].reshape(*x.shape[2:], *x.shape[:2]), (0, 1), (2, 3))
    return dx, np.einsum("nfij,ncijuv->fcuv", dy, _seen(x, w.shape[2:], stride, padding)), np.einsum("nfij->f", dy)


def im2col(x, kernel_size, *, stride=1, padding=0):
    seen = np.moveaxis(_seen(x, kernel_size, stride, padding), (4, 5), (2, 3))
    n, c, kh, kw, ho, wo = seen.shape
    return seen.reshape(n, c * kh * kw, ho * wo)


def conv2d_im2col(x, w, b, *, stride=1, padding=0):
    _need(x.shape[1] == w.shape[1])
    x, w, b = floats(x, w, b)
    shape = (len(x), len(w), *_seen(x, w.shape[2:], stride, padding).shape[2:4])
    cols = im2col(x, w.shape[2:], stride=stride, padding=padding)
    return (w.reshape(len(w), -1) @ cols + b[:, None]).reshape(shape)


def conv2d_parameter_count(in_channels, out_channels, kernel_size, bias=True):
    return out_channels * (in_channels * two(kernel_size)[0] * two(kernel_size)[1] + bool(bias))


def linear_parameter_count(in_features, out_features, bias=True):
    return out_features * (in_features + bool(bias))


def learn_kernel(x, y, kernel_size, *, lr, steps):
    x, y = floats(x, y)
    w, losses, seen = np.zeros(two(kernel_size), x.dtype), np.zeros(steps, x.dtype), windows(x, two(kernel_size))
    for t in range(steps):
        error = correlate2d(x, w) - y
        losses[t] = np.mean(error**2)
        w = w - lr * (2 / y.size) * np.einsum("ij,ijuv->uv", error, seen)
    return w, losses


def col2im(cols, size, kernel_size, *, stride=1, padding=0):
    (cols,), (h, w), (kh, kw), (sh, sw), (ph, pw) = floats(cols), *map(two, (size, kernel_size, stride, padding))
    ho, wo = output_size(h, kh, stride=sh, padding=ph), output_size(w, kw, stride=sw, padding=pw)
    down = sh * np.arange(ho) + np.arange(kh)[:, None] - ph == np.arange(h)[:, None, None]
    right = sw * np.arange(wo) + np.arange(kw)[:, None] - pw == np.arange(w)[:, None, None]
    blocks = cols.reshape(len(cols), -1, kh, kw, ho, wo)
    return np.einsum("ncuvij,rui,svj->ncrs", blocks, down.astype(cols.dtype), right.astype(cols.dtype), optimize=True)
