"""Every exercise as products with selection matrices S[u][i, r] = 1 where place u of window i sees sample r.

All arithmetic is in float64 and cast back at the end; padding by zeros is left out of the matrices instead of added.
"""

from __future__ import annotations

import numpy as np


def _pair(p):
    return (p[0], p[1]) if isinstance(p, (tuple, list)) else (p, p)


def _back(array, *arrays):
    return array.astype(np.float32 if all(a.dtype == np.float32 for a in arrays) else np.float64, copy=False)


def _select(n, k, stride=1, padding=0):
    """S, shape (k, windows, n), for an axis of n samples; the padding has no columns."""
    windows = output_size(n, k, stride=stride, padding=padding)
    return np.stack([np.eye(windows * stride, n + 2 * padding, u)[::stride][:, padding : padding + n] for u in range(k)])


def _selects(size, kernel, stride, padding):
    return [_select(*four) for four in zip(*map(_pair, (size, kernel, stride, padding)))]


def convolve(x, h):
    if not len(x) * len(h):
        raise ValueError("empty")
    return _back(convolution_matrix(h.astype(np.float64), len(x)) @ x.astype(np.float64), x, h)


def cross_correlate(x, h):
    if len(h) > len(x):
        raise ValueError("h is longer than x")
    turned = convolution_matrix(h.astype(np.float64), len(x) - len(h) + 1).T  # correlation: the transpose
    return _back(turned @ x.astype(np.float64), x, h)


def convolution_matrix(h, n):
    total = np.zeros((n + len(h) - 1, n))
    for lag, weight in enumerate(h.astype(np.float64)):
        total += weight * np.eye(*total.shape, -lag)
    return _back(total, h)


def impulse_response(system, length):
    return system(np.diag(np.ones(length))[:, 0].copy())


def _rows(length, rng, count=3):
    for size in 2.0 ** np.arange(-7, 8.5, 0.5):  # 0.008 ... 181
        yield from size * np.tanh(rng.standard_normal((count, length)))
        yield from size * np.sign(rng.standard_normal()) * rng.random((1, length))
        yield from size * rng.standard_normal((1, length))
    yield from 10 ** rng.uniform(-2, 2, (40, length)) * rng.choice((-1.0, 1.0), (40, length))


def _close(p, q, among):
    return bool(np.linalg.norm(p - q, np.inf) <= 3e-9 * max(np.linalg.norm(a, np.inf) for a in among))


def is_linear(system, length, *, rng):
    """Several signals at once: the answers to the rows of A @ U are A @ the answers to the rows of U."""
    rows = list(_rows(length, rng))
    for i in range(len(rows) - 1):
        U = np.stack([rows[i], rows[i + 1], rows[int(rng.integers(len(rows)))]])
        A = np.array([[1, 1, 0], [1, 0, 1], [-1, 0, 0], [0.5, 0, 0], [0, 3, 0], [1, -2, 0.5]])
        S = np.stack([system(u) for u in U.copy()])
        for a, mixed in zip(A, A @ U):
            got, parts = system(mixed), a[:, None] * S
            if not _close(got, parts.sum(axis=0), [got, *parts]):
                return False
    return True


def is_time_invariant(system, length, *, rng):
    for x in _rows(length, rng):
        for k in (1, 2, 4):
            D = np.eye(length, length, -k)  # delays by k; D.T @ D silences the last k samples
            before, after = system(D.T @ (D @ x))[:-k], system(D @ x)[k:]
            if not _close(before, after, [before, after]):
                return False
    return True


def cosine_similarity(a, b):
    two = np.stack([a.astype(np.float64), b.astype(np.float64)])
    norms = np.linalg.norm(two, axis=1)
    if not norms.all():
        return 0.0
    unit = two / norms[:, None]
    return float(unit[0] @ unit[1])


def match_template(x, template):
    n, m = len(x), len(template)
    if m > n:
        raise ValueError("the template is longer than x")
    wide = x.astype(np.float64)
    W = np.stack([wide[i : i + m] for i in range(n - m + 1)] + [template.astype(np.float64)])
    W = W - W[:, -1:]  # exactly zero where all are equal
    W = W @ (np.eye(m) - 1 / m) * W.any(axis=1)[:, None]
    norms = np.linalg.norm(W, axis=1)[:, None]
    W = np.divide(W, norms, out=np.zeros_like(W), where=norms > 0)
    return _back(W[:-1] @ W[-1], x, template)


def output_size(size, kernel_size, *, stride=1, padding=0, dilation=1):
    padded, span = size + 2 * padding, 1 + dilation * (kernel_size - 1)
    if span > padded:
        raise ValueError("not one window fits")
    return 1 + (padded - span) // stride


def pad2d(x, padding, mode="zeros"):
    """Row by row and column by column, so that any dtype will do."""
    (ph, pw), (H, W) = _pair(padding), x.shape[-2:]
    if mode == "reflect" and not (ph < H and pw < W):
        raise ValueError("nothing to mirror")
    out = np.zeros(x.shape[:-2] + (H + 2 * ph, W + 2 * pw), dtype=x.dtype)
    out[..., ph : ph + H, pw : pw + W] = x
    if mode != "zeros":
        mirrored = mode == "reflect"
        for step in range(1, pw + 1):
            inner = step if mirrored else 0
            out[..., pw - step] = out[..., pw + inner]
            out[..., pw + W - 1 + step] = out[..., pw + W - 1 - inner]
        for step in range(1, ph + 1):
            inner = step if mirrored else 0
            out[..., ph - step, :] = out[..., ph + inner, :]
            out[..., ph + H - 1 + step, :] = out[..., ph + H - 1 - inner, :]
    return out


def window_coverage(size, kernel_size, *, stride=1, padding=0):
    rows, columns = (S.sum(axis=(0, 1)) for S in _selects(size, kernel_size, stride, padding))
    return np.rint(np.outer(rows, columns)).astype(np.int64)


def correlate2d(x, w):
    (kh, kw), wide = w.shape, x.astype(np.float64)
    columns = x.shape[1] - kw + 1
    total = np.zeros((x.shape[0] - kh + 1, columns))
    for u, row in enumerate(w):
        total += wide[u : u + len(total)] @ convolution_matrix(row.astype(np.float64), columns)
    return _back(total, x, w)


def make_kernel(name, size=3, sigma=1.0):
    if name not in {"identity", "edge", "laplacian", "sharpen", "box", "gaussian"} or size < 3 or not size % 2:
        raise ValueError("no such kernel")
    if name in {"laplacian", "sharpen"} and size != 3:
        raise ValueError("3 x 3 only")
    middle = np.zeros((size, 1))
    middle[size // 2] = 1
    ones = np.ones((size, 1))
    if name == "gaussian":
        g = np.exp(-((np.arange(size) - size // 2)[:, None] ** 2) / (2 * sigma * sigma))
        return (g / g.sum()) @ (g / g.sum()).T
    if name in {"laplacian", "sharpen"}:
        second = 2 * middle - (ones - middle)  # -1, 2, -1
        laplacian = second @ middle.T + middle @ second.T
        return laplacian + middle @ middle.T if name == "sharpen" else laplacian
    identity, box = middle @ middle.T, ones @ ones.T
    return {"identity": identity, "box": box / size**2, "edge": size**2 * identity - box}[name]


def filter_image(image, kernel, *, mode="replicate"):
    if 0 in (kernel.shape[0] % 2, kernel.shape[1] % 2):
        raise ValueError("no centre")
    half = kernel.shape[0] // 2, kernel.shape[1] // 2
    result = np.empty_like(image)
    for where in [np.s_[:, :]] if image.ndim == 2 else [np.s_[:, :, c] for c in range(image.shape[2])]:
        response = correlate2d(pad2d(image[where].astype(np.float64), half, mode), kernel.astype(np.float64))
        result[where] = np.clip(np.round(response), 0.0, 255.0)
    return result


def _same_channels(x, w):
    if x.shape[1] != w.shape[1]:
        raise ValueError("x and w differ in C")


def conv2d_forward(x, w, b, *, stride=1, padding=0):
    _same_channels(x, w)
    R, Q = _selects(x.shape[2:], w.shape[2:], stride, padding)
    total = b.astype(np.float64)[:, None, None]
    for u, v in np.ndindex(*w.shape[2:]):
        seen = R[u] @ x.astype(np.float64) @ Q[v].T  # (N, C, Ho, Wo)
        total = total + np.tensordot(w[:, :, u, v].astype(np.float64), seen, (1, 1)).swapaxes(0, 1)
    return total.astype(x.dtype)


def conv2d_backward(dy, x, w, *, stride=1, padding=0):
    R, Q = _selects(x.shape[2:], w.shape[2:], stride, padding)
    dy8, x8, w8 = (a.astype(np.float64) for a in (dy, x, w))
    dx, dw = np.zeros(x.shape), np.zeros(w.shape)
    for u, v in np.ndindex(*w.shape[2:]):
        dw[:, :, u, v] = np.tensordot(dy8, R[u] @ x8 @ Q[v].T, ((0, 2, 3), (0, 2, 3)))
        dx += R[u].T @ np.tensordot(w8[:, :, u, v], dy8, (0, 1)).swapaxes(0, 1) @ Q[v]  # backwards: the transposes
    return dx.astype(x.dtype), dw.astype(x.dtype), dy8.sum(axis=3).sum(axis=2).sum(axis=0).astype(x.dtype)


def im2col(x, kernel_size, *, stride=1, padding=0):
    (kh, kw), (sh, sw), (ph, pw) = map(_pair, (kernel_size, stride, padding))
    xp = pad2d(x, (ph, pw))
    N, C, H, W = xp.shape
    Ho, Wo = output_size(H, kh, stride=sh), output_size(W, kw, stride=sw)
    cols = np.empty((N, C, kh, kw, Ho, Wo), x.dtype)
    for u, v in np.ndindex(kh, kw):
        cols[:, :, u, v] = xp[:, :, u:, v:][:, :, ::sh, ::sw][:, :, :Ho, :Wo]
    return cols.reshape(N, C * kh * kw, Ho * Wo)


def conv2d_im2col(x, w, b, *, stride=1, padding=0):
    _same_channels(x, w)
    cols = im2col(x, w.shape[2:], stride=stride, padding=padding)
    with_ones = np.concatenate([cols, np.ones_like(cols[:, :1])], axis=1)  # the bias is one more weight
    matrix = np.column_stack([w.reshape(len(w), -1), b])
    Ho = output_size(x.shape[2], w.shape[2], stride=_pair(stride)[0], padding=_pair(padding)[0])
    return np.matmul(matrix, with_ones).reshape(len(x), len(w), Ho, -1)


def conv2d_parameter_count(in_channels, out_channels, kernel_size, bias=True):
    kh, kw = _pair(kernel_size)
    return sum(in_channels * kh * kw + (1 if bias else 0) for _ in range(out_channels))


def linear_parameter_count(in_features, out_features, bias=True):
    rows, columns = out_features, in_features + (1 if bias else 0)
    return rows * columns


def learn_kernel(x, y, kernel_size, *, lr, steps):
    """With G = A.T A and c = A.T y the path is a linear recursion; the losses need the residuals all the same."""
    kh, kw = _pair(kernel_size)
    A = im2col(x.astype(np.float64)[None, None], (kh, kw))[0].T
    target = y.astype(np.float64).reshape(-1)
    G, c = A.T @ A, A.T @ target
    w, losses = np.zeros(kh * kw), []
    for _ in range(steps):
        residual = A @ w - target
        losses.append(residual @ residual / len(target))
        w = w - lr * 2 / len(target) * (G @ w - c)
    return w.reshape(kh, kw).astype(x.dtype), np.array(losses, dtype=x.dtype)


def col2im(cols, size, kernel_size, *, stride=1, padding=0):
    R, Q = _selects(size, kernel_size, stride, padding)
    (kh, Ho, _), (kw, Wo, _) = R.shape, Q.shape
    six = cols.reshape(len(cols), cols.shape[1] // (kh * kw), kh, kw, Ho, Wo).astype(np.float64)
    return sum(R[u].T @ six[:, :, u, v] @ Q[v] for u, v in np.ndindex(kh, kw)).astype(cols.dtype)
