"""Assignment 1: convolution and kernels, in NumPy."""
# This file is yours: put your code where it raises NotImplementedError, then run "python -m checks".

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from jaxtyping import Float, Int64, Real, UInt8

from functools import partial, singledispatch

Pair = int | tuple[int, int]
Signal = Float[np.ndarray, " length"]


Common = {True: np.float32, False: np.float64}

@singledispatch
def rc(value):
    return int(value), int(value)

@rc.register
def _(value: tuple):
    return value

def dtype_of(*arrays):
    return Common[all(a.dtype == np.dtype("f4") for a in arrays)]

class Experiment:
    def __init__(self, system, length, rng, tolerance=1e-6):
        self.system, self.length, self.rng, self.tolerance = system, length, rng, tolerance

    def ask(self, signal):
        return np.add(self.system(signal.copy()), 0)

    def agree(self, one, other):
        return np.allclose(one, other, rtol=0, atol=self.tolerance * max(abs(one).max(), abs(other).max()))

    def signals(self, count):
        for exponent in np.linspace(-2, 2, count):
            yield self.rng.standard_normal(self.length) * 10**exponent
            yield self.rng.choice([-1, 1], self.length) * self.rng.random(self.length) * 10**exponent

def _fits(x, w):
    if x.shape[1] != w.shape[1]:
        raise ValueError("C differs")


def convolve(x: Real[np.ndarray, " n"], h: Real[np.ndarray, " m"]) -> Float[np.ndarray, " n+m-1"]:
    if x.shape[0] * h.shape[0] == 0:
        raise ValueError("empty signal")
    dtype = dtype_of(x, h)
    return (convolution_matrix(h, len(x)).astype(dtype) @ x.astype(dtype)).astype(dtype)


def cross_correlate(x: Real[np.ndarray, " n"], h: Real[np.ndarray, " m"]) -> Float[np.ndarray, " n-m+1"]:
    n, m = len(x), len(h)
    if m > n:
        raise ValueError("h is longer")
    dtype = dtype_of(x, h)
    full = convolve(x.astype(dtype), h[::-1].astype(dtype))
    return full[m - 1 : n]


def convolution_matrix(h: Real[np.ndarray, " m"], n: int) -> Float[np.ndarray, "n+m-1 n"]:
    m = len(h)
    # h, then n zeros, again and again: cut into rows of m + n - 1 it moves on by one in each
    flat = np.concatenate([h.astype(dtype_of(h)), np.zeros(n, dtype_of(h))])
    rows = np.tile(flat, n)[: n * (m + n - 1)].reshape(n, m + n - 1)
    return rows.T


def impulse_response(system: Callable[[Signal], Signal], length: int) -> Signal:
    impulse = np.diff(np.arange(length + 1.0).clip(0, 1))
    return system(impulse)


def is_linear(system: Callable[[Signal], Signal], length: int, *, rng: np.random.Generator) -> bool:
    lab = Experiment(system, length, rng)
    for u in lab.signals(81):
        v = u * 0 + rng.permutation(u) * rng.uniform(0.5, 1.5)
        answer, other = lab.ask(u), lab.ask(v)
        laws = [(lab.ask(u + v), answer + other)]
        laws += [(lab.ask(a * u), a * answer) for a in (-0.3, -1.0, 2.0, 0.71)]
        if not all(lab.agree(*law) for law in laws):
            return False
    return True


def is_time_invariant(system: Callable[[Signal], Signal], length: int, *, rng: np.random.Generator) -> bool:
    lab = Experiment(system, length, rng)
    for k in np.arange(1, length):
        for x in lab.signals(41):
            delayed = np.roll(np.where(np.arange(length) + k < length, x, 0), k)
            if not lab.agree(lab.ask(delayed)[k:], lab.ask(np.roll(delayed, -k))[:-k]):
                return False
    return True


def cosine_similarity(a: Real[np.ndarray, " n"], b: Real[np.ndarray, " n"]) -> float:
    a, b = map(partial(np.array, dtype=np.float64), (a, b))
    if not a.any() or not b.any():
        return 0.0
    a, b = a / np.abs(a).max(), b / np.abs(b).max()
    return float(np.inner(a, b) / np.linalg.norm(a) / np.linalg.norm(b))


def match_template(x: Real[np.ndarray, " n"], template: Real[np.ndarray, " m"]) -> Float[np.ndarray, " n-m+1"]:
    m = len(template)
    if len(x) < m:
        raise ValueError("template is longer")

    def centred(rows):
        rows = rows.astype(np.float64)
        flat = (rows == rows[:, :1]).all(axis=1)
        rows = rows - rows[:, :1]
        rows = rows - rows.sum(axis=1, keepdims=True) / m
        rows = rows - rows.sum(axis=1, keepdims=True) / m
        return np.where(flat[:, None], 0, rows)

    p = centred(np.lib.stride_tricks.sliding_window_view(x, m))
    q = centred(template[None])
    pp, qq = np.linalg.norm(p, axis=1), np.linalg.norm(q)
    score = np.divide(np.einsum("im,jm->i", p, q), pp * qq, out=np.zeros(len(p)), where=pp * qq > 0)
    return score.astype(dtype_of(x, template))


def output_size(size: int, kernel_size: int, *, stride: int = 1, padding: int = 0, dilation: int = 1) -> int:
    last_start = (size + 2 * padding - 1) - dilation * (kernel_size - 1)
    if last_start >= 0:
        return 1 + last_start // stride
    raise ValueError("no window")


def pad2d(
    x: Real[np.ndarray, "... H W"], padding: Pair, mode: Literal["zeros", "replicate", "reflect"] = "zeros"
) -> Real[np.ndarray, "... H+2*ph W+2*pw"]:
    (ph, pw), (H, W) = rc(padding), x.shape[-2:]
    if mode == "reflect" and (ph > H - 1 or pw > W - 1):
        raise ValueError("nothing to mirror")
    out = np.zeros(x.shape[:-2] + (H + 2 * ph, W + 2 * pw), x.dtype)
    out[..., ph : H + ph, pw : W + pw] = x
    if mode == "zeros":
        return out
    source = mode == "replicate"
    for i in range(1, ph + 1):  # ring by ring, rows first
        near = 0 if source else i
        out[..., ph - i, :] = out[..., ph + near, :]
        out[..., ph + H - 1 + i, :] = out[..., ph + H - 1 - near, :]
    for j in range(1, pw + 1):
        near = 0 if source else j
        out[..., pw - j] = out[..., pw + near]
        out[..., pw + W - 1 + j] = out[..., pw + W - 1 - near]
    return out


def window_coverage(size: Pair, kernel_size: Pair, *, stride: Pair = 1, padding: Pair = 0) -> Int64[np.ndarray, "H W"]:
    (H, W), (kh, kw), (sh, sw), (ph, pw) = map(rc, (size, kernel_size, stride, padding))
    seen = np.zeros((H + 2 * ph, W + 2 * pw), np.int64)
    for i in range(output_size(H, kh, stride=sh, padding=ph)):
        for j in range(output_size(W, kw, stride=sw, padding=pw)):
            seen[i * sh : i * sh + kh, j * sw : j * sw + kw] += 1
    return seen[ph:, pw:][:H, :W]


def correlate2d(x: Real[np.ndarray, "H W"], w: Real[np.ndarray, "kh kw"]) -> Float[np.ndarray, "H-kh+1 W-kw+1"]:
    dtype = dtype_of(x, w)
    x, w = x.astype(dtype), w.astype(dtype)
    lines = []
    for i in range(x.shape[0] - w.shape[0] + 1):
        lines.append(sum(cross_correlate(x[i + u], w[u]) for u in range(w.shape[0])))
    return np.vstack(lines)


def make_kernel(
    name: Literal["identity", "edge", "laplacian", "sharpen", "box", "gaussian"], size: int = 3, sigma: float = 1.0
) -> Float[np.ndarray, "size size"]:
    if size < 3 or not size % 2:
        raise ValueError(f"{size} is even or small")
    cross = {"laplacian": 4, "sharpen": 5}
    if name in cross and size == 3:
        kernel = -np.array([0.0, 1, 0, 1, 0, 1, 0, 1, 0])
        kernel[4] = cross[name]
        return kernel.reshape(3, 3)
    kernel = {"identity": np.zeros, "edge": lambda shape: -np.ones(shape), "box": np.ones, "gaussian": np.ones}[
        name
    ]((size, size)) if name in ("identity", "edge", "box", "gaussian") else None
    if kernel is None:
        raise ValueError(name)
    if name in ("identity", "edge"):
        kernel.flat[size * size // 2] += 1 if name == "identity" else size * size
        return kernel
    if name == "gaussian":
        for place in np.ndindex(size, size):
            u, v = place[0] - size // 2, place[1] - size // 2
            kernel[place] = np.exp(-(u * u + v * v) / (2 * sigma**2))
    return np.divide(kernel, kernel.sum())


def filter_image(
    image: UInt8[np.ndarray, "H W"] | UInt8[np.ndarray, "H W 3"],
    kernel: Real[np.ndarray, "kh kw"],
    *,
    mode: Literal["zeros", "replicate", "reflect"] = "replicate",
) -> UInt8[np.ndarray, "H W"] | UInt8[np.ndarray, "H W 3"]:
    rim = []
    for side in kernel.shape:
        half, odd = divmod(side, 2)
        if not odd:
            raise ValueError("even side")
        rim.append(half)
    if image.ndim == 3:
        result = np.empty_like(image)
        for c in range(3):
            result[:, :, c] = filter_image(image[:, :, c], kernel, mode=mode)
        return result
    response = correlate2d(pad2d(image, tuple(rim), mode).astype(float), kernel.astype(float))
    return np.uint8(np.clip(np.round(response), 0.0, 255.0))


def conv2d_forward(
    x: Float[np.ndarray, "N C H W"],
    w: Float[np.ndarray, "F C kh kw"],
    b: Float[np.ndarray, " F"],
    *,
    stride: Pair = 1,
    padding: Pair = 0,
) -> Float[np.ndarray, "N F Ho Wo"]:
    _fits(x, w)
    (sh, sw), xp, (F, C, kh, kw) = rc(stride), pad2d(x, padding), w.shape
    Ho, Wo = output_size(xp.shape[2], kh, stride=sh), output_size(xp.shape[3], kw, stride=sw)
    y = np.empty((len(x), F, Ho, Wo), x.dtype)
    y[:] = b.reshape(F, 1, 1)
    for u, v in np.ndindex(kh, kw):
        met = xp[:, :, u : u + sh * Ho : sh, v : v + sw * Wo : sw][:, :, :Ho, :Wo]
        y += np.tensordot(w[:, :, u, v], met, (1, 1)).swapaxes(0, 1)
    return y


def conv2d_backward(
    dy: Float[np.ndarray, "N F Ho Wo"],
    x: Float[np.ndarray, "N C H W"],
    w: Float[np.ndarray, "F C kh kw"],
    *,
    stride: Pair = 1,
    padding: Pair = 0,
) -> tuple[Float[np.ndarray, "N C H W"], Float[np.ndarray, "F C kh kw"], Float[np.ndarray, " F"]]:
    F = dy.shape[1]
    rows = dy.reshape(len(dy), F, -1)
    cols = im2col(x, w.shape[2:], stride=stride, padding=padding)
    dw = sum(rows[n] @ cols[n].T for n in range(len(x))).reshape(w.shape)
    back = w.reshape(F, -1).T @ rows
    dx = col2im(back, x.shape[2:], w.shape[2:], stride=stride, padding=padding)
    return dx, dw, rows.sum(axis=2).sum(axis=0)


def im2col(
    x: Real[np.ndarray, "N C H W"], kernel_size: Pair, *, stride: Pair = 1, padding: Pair = 0
) -> Real[np.ndarray, "N C*kh*kw L"]:
    (kh, kw), (sh, sw), xp = rc(kernel_size), rc(stride), pad2d(x, padding)
    (N, C), Ho, Wo = x.shape[:2], output_size(xp.shape[2], kh, stride=sh), output_size(xp.shape[3], kw, stride=sw)
    cols = np.empty((N, C, kh, kw, Ho, Wo), x.dtype)
    for u in range(kh):
        for v in range(kw):
            cols[:, :, u, v] = xp[:, :, u:, v:][:, :, : sh * (Ho - 1) + 1 : sh, : sw * (Wo - 1) + 1 : sw]
    cols.shape = N, C * kh * kw, Ho * Wo
    return cols


def conv2d_im2col(
    x: Float[np.ndarray, "N C H W"],
    w: Float[np.ndarray, "F C kh kw"],
    b: Float[np.ndarray, " F"],
    *,
    stride: Pair = 1,
    padding: Pair = 0,
) -> Float[np.ndarray, "N F Ho Wo"]:
    _fits(x, w)
    cols = im2col(x, w.shape[2:], stride=stride, padding=padding)
    y = np.tensordot(cols, w.reshape(len(w), -1), (1, 1)) + b  # [n, l, f]
    (sh, _), (ph, _) = rc(stride), rc(padding)
    Ho = output_size(x.shape[2], w.shape[2], stride=sh, padding=ph)
    return np.ascontiguousarray(y.transpose(0, 2, 1)).reshape(len(x), len(w), Ho, cols.shape[2] // Ho)


def conv2d_parameter_count(in_channels: int, out_channels: int, kernel_size: Pair, bias: bool = True) -> int:
    kh, kw = rc(kernel_size)
    return out_channels * linear_parameter_count(in_channels * kh * kw, 1, bias)


def linear_parameter_count(in_features: int, out_features: int, bias: bool = True) -> int:
    count = in_features * out_features
    if bias:
        count += out_features
    return count


def learn_kernel(
    x: Float[np.ndarray, "H W"], y: Float[np.ndarray, "H-kh+1 W-kw+1"], kernel_size: Pair, *, lr: float, steps: int
) -> tuple[Float[np.ndarray, "kh kw"], Float[np.ndarray, " steps"]]:
    def path(w):
        while True:
            difference = correlate2d(x, w) - y
            yield w, (difference * difference).mean()
            w = w - correlate2d(x, difference) * (lr / difference.size * 2)

    w, losses = np.zeros(rc(kernel_size), x.dtype), []
    for (w, loss), _ in zip(path(w), range(steps + 1)):
        losses.append(loss)
    return w, np.array(losses[:steps], x.dtype)


def col2im(
    cols: Float[np.ndarray, "N C*kh*kw L"], size: Pair, kernel_size: Pair, *, stride: Pair = 1, padding: Pair = 0
) -> Float[np.ndarray, "N C H W"]:
    (H, W), (kh, kw), (sh, sw), (ph, pw) = map(rc, (size, kernel_size, stride, padding))
    Ho = output_size(H, kh, stride=sh, padding=ph)
    Wo = output_size(W, kw, stride=sw, padding=pw)
    N, C = len(cols), cols.shape[1] // (kh * kw)
    out = np.zeros((N, C, H + 2 * ph, W + 2 * pw), cols.dtype)
    for column in range(Ho * Wo):
        i, j = divmod(column, Wo)
        out[:, :, i * sh : i * sh + kh, j * sw : j * sw + kw] += cols[:, :, column].reshape(N, C, kh, kw)
    return out[:, :, ph : H + ph, pw : W + pw]
