"""Assignment 1: convolution and kernels, in NumPy."""
# This file is yours: put your code where it raises NotImplementedError, then run "python -m checks".

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from jaxtyping import Float, Int64, Real, UInt8

Pair = int | tuple[int, int]
Signal = Float[np.ndarray, " length"]


def hw(q):
    return tuple(q) if isinstance(q, (tuple, list)) else (q,) * 2

def as_real(*arrays):
    wide = [a if a.dtype.kind == "f" else a.astype(float) for a in arrays]
    dtype = np.result_type(*wide)
    return dtype, *(a.astype(dtype) for a in wide)

def view_of(a, shape, step):
    """as_strided without counting bytes: step[k] is how far the entry moves on each axis of a."""
    strides = [sum(move * stride for move, stride in zip(moves, a.strides)) for moves in step]
    return np.lib.stride_tricks.as_strided(a, shape, strides, writeable=False)

def off(a, b):
    scale = np.max([np.abs(a), np.abs(b)])
    return scale > 0 and np.max(np.abs((a - b) / scale)) > 3e-6

def experiments(rng, shape):
    for exponent in np.arange(-2, 2.01, 0.125):
        for draw in (rng.standard_normal, rng.standard_normal, rng.standard_cauchy):
            raw = draw(shape)
            raw = raw.clip(-3, 3)
            yield 10**exponent * raw

def six(x, kernel, stride, padding):
    """A view [n, c, u, v, i, j] of the padded images."""
    xp = pad2d(x, padding)
    (kh, kw), (sh, sw) = hw(kernel), hw(stride)
    Ho, Wo = output_size(xp.shape[2], kh, stride=sh), output_size(xp.shape[3], kw, stride=sw)
    along = [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, sh, 0], [0, 0, 0, sw]
    return view_of(xp, (*x.shape[:2], kh, kw, Ho, Wo), along)

def same_channels(x, w):
    if x.shape[1] - w.shape[1]:
        raise ValueError("channels")


def convolve(x: Real[np.ndarray, " n"], h: Real[np.ndarray, " m"]) -> Float[np.ndarray, " n+m-1"]:
    if x.shape == (0,) or h.shape == (0,):
        raise ValueError("nothing to convolve")
    dtype, x, h = as_real(x, h)
    products = np.fliplr(np.outer(x, h))
    n, m = products.shape
    return np.array([products.trace(m - 1 - i) for i in range(n + m - 1)], dtype)


def cross_correlate(x: Real[np.ndarray, " n"], h: Real[np.ndarray, " m"]) -> Float[np.ndarray, " n-m+1"]:
    dtype, x, h = as_real(x, h)
    places = len(x) - len(h) + 1
    if places < 1:
        raise ValueError("too long")
    return np.einsum("ik,k->i", view_of(x, (places, len(h)), [[1], [1]]), h)


def convolution_matrix(h: Real[np.ndarray, " m"], n: int) -> Float[np.ndarray, "n+m-1 n"]:
    dtype, h = as_real(h)
    return sum(
        np.eye(n + len(h) - 1, n, -k, dtype=dtype) * value for k, value in enumerate(h)
    )


def impulse_response(system: Callable[[Signal], Signal], length: int) -> Signal:
    return system(np.where(np.arange(length) > 0, 0.0, 1.0)) + 0.0


def is_linear(system: Callable[[Signal], Signal], length: int, *, rng: np.random.Generator) -> bool:
    probe = lambda signal: np.array(system(np.array(signal)), copy=True)
    if np.any(probe(np.zeros(length)) != 0):
        return False
    for u, v in experiments(rng, (2, length)):
        whole = probe(u + v)
        if off(whole, probe(u) + probe(v)) or off(probe(u - v), probe(u) - probe(v)):
            return False
        for a in (-1.7, -1, 1 / 3, 2.9):
            if off(probe(a * u), a * probe(u)):
                return False
    return np.True_


def is_time_invariant(system: Callable[[Signal], Signal], length: int, *, rng: np.random.Generator) -> bool:
    for x in experiments(rng, length):
        for k in range(length - 1, 0, -1):
            x_k = np.zeros(length)
            x_k[k:] = x[:-k]
            kept = x * (np.arange(length) < length - k)
            if off(system(x_k)[k:] + 0, system(kept)[:-k] + 0):
                return np.False_
    return np.True_


def cosine_similarity(a: Real[np.ndarray, " n"], b: Real[np.ndarray, " n"]) -> float:
    pair = np.array([a, b], dtype=np.float64)
    gram = pair @ pair.T
    squares = gram.diagonal()
    return gram[0, 1] / np.sqrt(squares[0]) / np.sqrt(squares[1]) if squares.all() else np.float64(0)


def match_template(x: Real[np.ndarray, " n"], template: Real[np.ndarray, " m"]) -> Float[np.ndarray, " n-m+1"]:
    places = len(x) - len(template) + 1
    if places < 1:
        raise ValueError("too long")
    dtype, *_ = as_real(x, template)
    x, template = x.astype(np.longdouble), template.astype(np.longdouble)
    scores = []
    for window in view_of(x, (places, len(template)), [[1], [1]]):
        if np.ptp(window) == 0 or np.ptp(template) == 0:
            scores.append(0)
            continue
        p, q = window - np.mean(window), template - np.mean(template)
        scores.append((p * q).sum() / np.sqrt((p * p).sum()) / np.sqrt((q * q).sum()))
    return np.array(scores, dtype)


def output_size(size: int, kernel_size: int, *, stride: int = 1, padding: int = 0, dilation: int = 1) -> int:
    taken = 1 + dilation * (kernel_size - 1)
    total = size + 2 * padding
    if taken > total:
        raise ValueError("no window")
    return -(-(total - taken + 1) // stride)


def pad2d(
    x: Real[np.ndarray, "... H W"], padding: Pair, mode: Literal["zeros", "replicate", "reflect"] = "zeros"
) -> Real[np.ndarray, "... H+2*ph W+2*pw"]:
    for axis, p in zip((-2, -1), hw(padding)):
        n = x.shape[axis]
        if mode == "reflect" and p >= n:
            raise ValueError("no mirror")
        if not p:
            continue
        # which sample of x goes where, as a matrix of 0 and 1 would say it, but by take
        where = np.arange(n + 2 * p) - p
        if mode == "reflect":
            where %= max(2 * n - 2, 1)
            where = np.minimum(where, 2 * n - 2 - where)
        x = np.take(x, np.clip(where, 0, n - 1), axis=axis)
        if mode == "zeros":
            turned = np.moveaxis(x, axis, 0)
            turned[:p] = 0
            turned[p + n :] = 0
    return x


def window_coverage(size: Pair, kernel_size: Pair, *, stride: Pair = 1, padding: Pair = 0) -> Int64[np.ndarray, "H W"]:
    counts = []
    for n, k, s, p in zip(hw(size), hw(kernel_size), hw(stride), hw(padding)):
        fit = output_size(n, k, stride=s, padding=p)
        place = np.arange(n) + p
        first = np.maximum(0, -((k - 1 - place) // s))
        last = np.minimum(fit - 1, place // s)
        counts.append(np.maximum(0, last - first + 1))
    return np.multiply.outer(*counts).astype("int64")


def correlate2d(x: Real[np.ndarray, "H W"], w: Real[np.ndarray, "kh kw"]) -> Float[np.ndarray, "H-kh+1 W-kw+1"]:
    dtype, x, w = as_real(x, w)
    shape = tuple(np.subtract(x.shape, w.shape) + 1)
    blocks = view_of(x, w.shape + shape, [[1, 0], [0, 1], [1, 0], [0, 1]])
    return np.einsum("uvij,uv->ij", blocks, w)


def make_kernel(
    name: Literal["identity", "edge", "laplacian", "sharpen", "box", "gaussian"], size: int = 3, sigma: float = 1.0
) -> Float[np.ndarray, "size size"]:
    half, odd = divmod(size, 2)
    if half < 1 or not odd:
        raise ValueError("size")
    delta = np.zeros(size)
    delta[half] = 1
    identity = np.outer(delta, delta)
    ones = np.ones((size, size))
    second = 2 * delta - np.eye(1, size, half - 1)[0] - np.eye(1, size, half + 1)[0]
    if name == "identity":
        return identity
    elif name == "edge":
        return size * size * identity - ones
    elif name == "box":
        return ones / ones.sum()
    elif name == "gaussian":
        line = np.exp(-(((np.arange(size) - half) / sigma) ** 2) / 2)
        return np.outer(line, line) / line.sum() ** 2
    elif name in {"laplacian", "sharpen"} and size == 3:
        laplacian = np.outer(second, delta) + np.outer(delta, second)
        return laplacian + (name == "sharpen") * identity
    raise ValueError("name")


def filter_image(
    image: UInt8[np.ndarray, "H W"] | UInt8[np.ndarray, "H W 3"],
    kernel: Real[np.ndarray, "kh kw"],
    *,
    mode: Literal["zeros", "replicate", "reflect"] = "replicate",
) -> UInt8[np.ndarray, "H W"] | UInt8[np.ndarray, "H W 3"]:
    kh, kw = kernel.shape
    if not kh & kw & 1:
        raise ValueError("even")
    planes = np.moveaxis(np.atleast_3d(image), 2, 0)
    padded = pad2d(planes, (kh // 2, kw // 2), mode)
    out = np.stack([correlate2d(plane, kernel.astype("f8")) for plane in padded], -1)
    np.clip(out, 0, 255, out=out)
    out += 0.5
    return np.floor(out).astype("u1").reshape(image.shape)


def conv2d_forward(
    x: Float[np.ndarray, "N C H W"],
    w: Float[np.ndarray, "F C kh kw"],
    b: Float[np.ndarray, " F"],
    *,
    stride: Pair = 1,
    padding: Pair = 0,
) -> Float[np.ndarray, "N F Ho Wo"]:
    same_channels(x, w)
    y = np.zeros(1, x.dtype)
    blocks = six(x, w.shape[2:], stride, padding)
    for c in range(x.shape[1]):
        y = y + np.einsum("nuvij,fuv->nfij", blocks[:, c], w[:, c])
    return y + b[None, :, None, None]


def conv2d_backward(
    dy: Float[np.ndarray, "N F Ho Wo"],
    x: Float[np.ndarray, "N C H W"],
    w: Float[np.ndarray, "F C kh kw"],
    *,
    stride: Pair = 1,
    padding: Pair = 0,
) -> tuple[Float[np.ndarray, "N C H W"], Float[np.ndarray, "F C kh kw"], Float[np.ndarray, " F"]]:
    db = dy.swapaxes(0, 1).reshape(dy.shape[1], -1).sum(1)
    dw = np.einsum("ncuvij,nfij->fcuv", six(x, w.shape[2:], stride, padding), dy)
    # the layer as one matrix for rows and one for columns: R[i, u, r] is 1 where output i meets pixel r with u
    hot = []
    for n, k, s, p, o in zip(x.shape[2:], w.shape[2:], hw(stride), hw(padding), dy.shape[2:]):
        i, u, r = np.ogrid[:o, :k, :n]
        hot.append((s * i + u - p == r).astype(x.dtype))
    partly = np.einsum("nfij,iur->nfjur", dy, hot[0])
    partly = np.einsum("nfjur,jvs->nfuvrs", partly, hot[1])
    return np.einsum("nfuvrs,fcuv->ncrs", partly, w), dw, db


def im2col(
    x: Real[np.ndarray, "N C H W"], kernel_size: Pair, *, stride: Pair = 1, padding: Pair = 0
) -> Real[np.ndarray, "N C*kh*kw L"]:
    blocks = six(x, kernel_size, stride, padding)
    n, c, kh, kw, i, j = blocks.shape
    return np.reshape(blocks, (n, c * kh * kw, i * j))


def conv2d_im2col(
    x: Float[np.ndarray, "N C H W"],
    w: Float[np.ndarray, "F C kh kw"],
    b: Float[np.ndarray, " F"],
    *,
    stride: Pair = 1,
    padding: Pair = 0,
) -> Float[np.ndarray, "N F Ho Wo"]:
    same_channels(x, w)
    cols = np.hstack(im2col(x, w.shape[2:], stride=stride, padding=padding))  # all images beside each other
    y = w.reshape(len(w), -1) @ cols
    y = (y.T + b).T
    Ho, Wo = six(x, w.shape[2:], stride, padding).shape[4:]
    return y.reshape(len(w), len(x), Ho, Wo).swapaxes(0, 1)


def conv2d_parameter_count(in_channels: int, out_channels: int, kernel_size: Pair, bias: bool = True) -> int:
    return np.prod([out_channels, in_channels, *hw(kernel_size)]) + out_channels * bias


def linear_parameter_count(in_features: int, out_features: int, bias: bool = True) -> int:
    return np.int64(out_features * in_features + out_features * bias)


def learn_kernel(
    x: Float[np.ndarray, "H W"], y: Float[np.ndarray, "H-kh+1 W-kw+1"], kernel_size: Pair, *, lr: float, steps: int
) -> tuple[Float[np.ndarray, "kh kw"], Float[np.ndarray, " steps"]]:
    kh, kw = hw(kernel_size)
    w = np.zeros((kh, kw), x.dtype)
    losses = np.full(steps, np.nan, x.dtype)
    for t in range(steps):
        dy = correlate2d(x, w)
        dy = dy - y
        losses[t] = np.square(dy).mean()
        _, dw, _ = conv2d_backward(dy[None, None], x[None, None], w[None, None])
        w = w - lr * 2 / dy.size * dw[0, 0]
    return w, losses


def col2im(
    cols: Float[np.ndarray, "N C*kh*kw L"], size: Pair, kernel_size: Pair, *, stride: Pair = 1, padding: Pair = 0
) -> Float[np.ndarray, "N C H W"]:
    (H, W), (kh, kw), (ph, pw), N = hw(size), hw(kernel_size), hw(padding), len(cols)
    output_size(H, kh, stride=hw(stride)[0], padding=ph), output_size(W, kw, stride=hw(stride)[1], padding=pw)
    C = cols.shape[1] // (kh * kw)
    # send the address of every pixel through im2col, counted from 1; padding has the address 0
    address = 1 + np.arange(C * H * W, dtype=np.int64).reshape(1, C, H, W)
    to = im2col(address, (kh, kw), stride=stride, padding=padding).ravel()
    images = [np.bincount(to, image.ravel(), C * H * W + 1)[1:] for image in cols]
    return np.array(images, cols.dtype).reshape(N, C, H, W)
