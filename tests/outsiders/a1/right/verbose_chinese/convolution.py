"""作业一：卷积与卷积核 (NumPy)。

做法：对卷积核的每个位置循环，把整张图错位相加 (shift and add)。
"""

from __future__ import annotations

import logging
import sys

import numpy as np

from 形状 import 一对, 公共类型, 尺寸错误

Pair = int | tuple[int, int]

logger = logging.getLogger(__name__)
DEBUG = False


def debug(*things):
    if DEBUG:
        print(*things, file=sys.stderr)


# ---------------------------------------------------------------- §1


def convolve(x, h):
    """两个信号的完整卷积：每个样本发出一份 h 的拷贝。"""
    debug("convolve", x.shape, h.shape)
    if x.shape[0] == 0:
        raise 尺寸错误("x 是空的")
    if h.shape[0] == 0:
        raise 尺寸错误("h 是空的")
    dtype = 公共类型(x, h)
    x = x.astype(dtype)
    h = h.astype(dtype)
    # 循环较短的那一个
    if h.shape[0] < x.shape[0]:
        长, 短 = x, h
    else:
        长, 短 = h, x
    result = np.zeros(x.shape[0] + h.shape[0] - 1, dtype=dtype)
    for k in range(短.shape[0]):
        result[k : k + 长.shape[0]] = result[k : k + 长.shape[0]] + 短[k] * 长
    return result


def cross_correlate(x, h):
    """互相关：不翻转。"""
    number = x.shape[0] - h.shape[0] + 1
    if number < 1:
        raise 尺寸错误("h 比 x 长")
    dtype = 公共类型(x, h)
    x = x.astype(dtype)
    h = h.astype(dtype)
    result = np.zeros(number, dtype=dtype)
    for k in range(h.shape[0]):
        result += h[k] * x[k : k + number]
    return result


def convolution_matrix(h, n):
    """对角线上是同一个数。"""
    h = h.astype(公共类型(h))
    rows = n + h.shape[0] - 1
    M = np.zeros((rows, n), dtype=h.dtype)
    for k in range(h.shape[0]):
        M += h[k] * np.eye(rows, n, -k, dtype=h.dtype)
    return M


# ---------------------------------------------------------------- §2


def impulse_response(system, length):
    """敲一下，听回声。"""
    pulse = np.zeros(length, dtype=np.float64)
    pulse[0] = 1.0
    answer = system(pulse)
    return np.array(answer, dtype=np.float64)


def _run(system, signal):
    """给系统一份拷贝，拿回一份拷贝。"""
    return np.array(system(np.array(signal, dtype=np.float64)), dtype=np.float64)


def _almost_equal(first, second, *others):
    """容差随数值大小变化。"""
    largest = 0.0
    for signal in (first, second) + others:
        largest = max(largest, np.abs(signal).max())
    return bool(np.abs(first - second).max() <= 1e-10 * largest)


_振幅 = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 150.0)


def is_linear(system, length, *, rng):
    """检查可加性和齐次性。"""
    for repetition in range(3):
        for 振幅一 in _振幅:
            for 振幅二 in (振幅一, 1.0):
                u = 振幅一 * rng.standard_normal(length)
                v = 振幅二 * rng.standard_normal(length)
                out_u = _run(system, u)
                out_v = _run(system, v)
                # 可加性
                out_sum = _run(system, u + v)
                if not _almost_equal(out_sum, out_u + out_v, out_u, out_v):
                    logger.debug("不可加")
                    return False
                # 齐次性
                for a in (rng.uniform(-4, 4), -1.0, 0.0, 1.0 / 振幅一):
                    if not _almost_equal(_run(system, a * u), a * out_u):
                        logger.debug("不齐次")
                        return False
    return True


def is_time_invariant(system, length, *, rng):
    """所有的延迟，多种振幅；信号末尾恰好有 k 个零。"""
    for k in range(1, length):
        for 振幅 in (0.0,) + _振幅:
            for 稀疏 in (False, True):
                signal = 振幅 * rng.standard_normal(length)
                if 稀疏:
                    signal = signal * rng.integers(0, 2, length)
                signal[length - k :] = 0.0
                delayed = np.zeros(length)
                delayed[k:] = signal[: length - k]
                before = _run(system, signal)
                after = _run(system, delayed)
                largest = max(np.abs(before).max(), np.abs(after).max())
                difference = np.abs(after[k:] - before[: length - k]).max()
                if difference > 1e-10 * largest:
                    return False
    return True


# ---------------------------------------------------------------- §4


def _normalised(vector):
    """方向：先除以最大值，再除以长度，防止溢出。"""
    vector = np.asarray(vector, dtype=np.float64)
    biggest = max(vector.max(initial=0.0), -vector.min(initial=0.0))
    if biggest == 0.0:
        return None
    vector = vector / biggest
    return vector / np.sqrt(np.sum(vector * vector))


def cosine_similarity(a, b):
    """夹角的余弦。"""
    direction_a = _normalised(a)
    direction_b = _normalised(b)
    if direction_a is None or direction_b is None:
        return 0.0
    return float(np.sum(direction_a * direction_b))


def match_template(x, template):
    """零均值归一化互相关。"""
    m = template.shape[0]
    if m > x.shape[0]:
        raise 尺寸错误("模板比信号长")
    dtype = 公共类型(x, template)
    result = np.zeros(x.shape[0] - m + 1, dtype=dtype)
    pattern = template.astype(np.float64)
    if np.all(pattern == pattern[0]):
        return result
    pattern = pattern - np.mean(pattern)
    signal = x.astype(np.float64)
    for i in range(result.shape[0]):
        window = signal[i : i + m].copy()
        if np.all(window == window[0]):
            continue  # 常数窗口：零
        window -= np.mean(window)
        result[i] = cosine_similarity(window, pattern)
    return result


# ---------------------------------------------------------------- §3


def output_size(size, kernel_size, *, stride=1, padding=0, dilation=1):
    """窗口的个数。"""
    span = dilation * (kernel_size - 1) + 1
    padded = size + 2 * padding
    if span > padded:
        raise 尺寸错误("一个窗口也放不下")
    return (padded - span) // stride + 1


def pad2d(x, padding, mode="zeros"):
    """先中间，再上下，再左右。"""
    ph, pw = 一对(padding)
    H = x.shape[-2]
    W = x.shape[-1]
    if mode == "reflect":
        if ph >= H or pw >= W:
            raise 尺寸错误("没有可以反射的像素")
    elif mode not in ("zeros", "replicate"):
        raise ValueError("未知的填充方式: %r" % (mode,))
    y = np.zeros(x.shape[:-2] + (H + 2 * ph, W + 2 * pw), dtype=x.dtype)
    y[..., ph : ph + H, pw : pw + W] = x
    if mode == "zeros":
        return y
    for d in range(ph):
        # 离边缘 d + 1 行
        above, below = (ph, ph + H - 1) if mode == "replicate" else (ph + d + 1, ph + H - 2 - d)
        y[..., ph - 1 - d, :] = y[..., above, :]
        y[..., ph + H + d, :] = y[..., below, :]
    for d in range(pw):
        left, right = (pw, pw + W - 1) if mode == "replicate" else (pw + d + 1, pw + W - 2 - d)
        y[..., :, pw - 1 - d] = y[..., :, left]
        y[..., :, pw + W + d] = y[..., :, right]
    return y


def window_coverage(size, kernel_size, *, stride=1, padding=0):
    """每个窗口在它看到的地方加一。"""
    H, W = 一对(size)
    kh, kw = 一对(kernel_size)
    sh, sw = 一对(stride)
    ph, pw = 一对(padding)
    Ho = output_size(H, kh, stride=sh, padding=ph)
    Wo = output_size(W, kw, stride=sw, padding=pw)
    board = np.zeros((H + 2 * ph, W + 2 * pw), dtype=np.int64)
    for i in range(Ho):
        for j in range(Wo):
            board[i * sh : i * sh + kh, j * sw : j * sw + kw] += 1
    return board[ph : ph + H, pw : pw + W].copy()


def correlate2d(x, w):
    """整张图错位相加。"""
    dtype = 公共类型(x, w)
    x = x.astype(dtype)
    w = w.astype(dtype)
    Ho = x.shape[0] - w.shape[0] + 1
    Wo = x.shape[1] - w.shape[1] + 1
    y = np.zeros((Ho, Wo), dtype=dtype)
    for u in range(w.shape[0]):
        for v in range(w.shape[1]):
            y += x[u : u + Ho, v : v + Wo] * w[u, v]
    return y


# ---------------------------------------------------------------- §5


def make_kernel(name, size=3, sigma=1.0):
    """经典卷积核。"""
    if size < 3 or size % 2 != 1:
        raise 尺寸错误("大小必须是不小于 3 的奇数")
    if name in ("laplacian", "sharpen") and size != 3:
        raise 尺寸错误("只有 3 x 3")
    centre = size // 2
    kernel = np.zeros((size, size), dtype=np.float64)
    if name == "identity":
        kernel[centre, centre] = 1
    elif name == "edge":
        kernel -= 1
        kernel[centre, centre] += size * size
    elif name in ("laplacian", "sharpen"):
        kernel[centre, :] -= 1
        kernel[:, centre] -= 1
        kernel[centre, centre] = 4 + (name == "sharpen")
    elif name == "box":
        kernel += 1
        kernel /= kernel.sum()
    elif name == "gaussian":
        distance = np.arange(size, dtype=np.float64) - centre
        row = np.exp(-(distance**2) / (2.0 * sigma * sigma))
        kernel += row[:, np.newaxis] * row[np.newaxis, :]
        kernel /= kernel.sum()
    else:
        raise ValueError("没有这个卷积核: %r" % (name,))
    return kernel


def filter_image(image, kernel, *, mode="replicate"):
    """填充、互相关、四舍五入、截断、八位。"""
    kh, kw = kernel.shape
    if kh % 2 == 0 or kw % 2 == 0:
        raise 尺寸错误("卷积核没有中心")
    if image.ndim == 3:
        channels = []
        for c in range(image.shape[2]):
            channels.append(filter_image(image[:, :, c], kernel, mode=mode))
        return np.stack(channels, axis=2)
    padded = pad2d(image.astype(np.float64), ((kh - 1) // 2, (kw - 1) // 2), mode)
    response = np.rint(correlate2d(padded, kernel.astype(np.float64)))
    response = np.clip(response, 0.0, 255.0)
    return response.astype(np.uint8)


# ---------------------------------------------------------------- §6, §7


def _geometry(x, w, stride, padding):
    N, C, H, W = x.shape
    F, C2, kh, kw = w.shape
    if C != C2:
        raise 尺寸错误("通道数不同: %d 和 %d" % (C, C2))
    sh, sw = 一对(stride)
    ph, pw = 一对(padding)
    Ho = output_size(H, kh, stride=sh, padding=ph)
    Wo = output_size(W, kw, stride=sw, padding=pw)
    return sh, sw, ph, pw, Ho, Wo


def conv2d_forward(x, w, b, *, stride=1, padding=0):
    sh, sw, ph, pw, Ho, Wo = _geometry(x, w, stride, padding)
    dtype = 公共类型(x, w, b)
    xp = pad2d(x.astype(dtype), (ph, pw))
    w = w.astype(dtype)
    F, C, kh, kw = w.shape
    y = np.zeros((x.shape[0], F, Ho, Wo), dtype=dtype)
    for u in range(kh):
        for v in range(kw):
            piece = xp[:, :, u : u + (Ho - 1) * sh + 1 : sh, v : v + (Wo - 1) * sw + 1 : sw]
            for f in range(F):
                for c in range(C):
                    y[:, f] += piece[:, c] * w[f, c, u, v]
    for f in range(F):
        y[:, f] += b[f].astype(dtype)
    debug("conv2d_forward", y.shape)
    return y


def conv2d_backward(dy, x, w, *, stride=1, padding=0):
    sh, sw, ph, pw, Ho, Wo = _geometry(x, w, stride, padding)
    assert dy.shape == (x.shape[0], w.shape[0], Ho, Wo), "dy 的形状不对"
    dtype = 公共类型(dy, x, w)
    dy = dy.astype(dtype)
    w = w.astype(dtype)
    xp = pad2d(x.astype(dtype), (ph, pw))
    F, C, kh, kw = w.shape
    dxp = np.zeros_like(xp)
    dw = np.zeros_like(w)
    for u in range(kh):
        for v in range(kw):
            rows = slice(u, u + (Ho - 1) * sh + 1, sh)
            columns = slice(v, v + (Wo - 1) * sw + 1, sw)
            for f in range(F):
                for c in range(C):
                    dw[f, c, u, v] = np.sum(dy[:, f] * xp[:, c, rows, columns])
                    dxp[:, c, rows, columns] += dy[:, f] * w[f, c, u, v]  # 重叠处相加
    H, W = x.shape[2], x.shape[3]
    dx = dxp[:, :, ph : ph + H, pw : pw + W].copy()  # 去掉填充
    db = np.array([np.sum(dy[:, f]) for f in range(F)], dtype=dtype)
    return dx, dw, db


def im2col(x, kernel_size, *, stride=1, padding=0):
    N, C, H, W = x.shape
    kh, kw = 一对(kernel_size)
    sh, sw = 一对(stride)
    ph, pw = 一对(padding)
    Ho = output_size(H, kh, stride=sh, padding=ph)
    Wo = output_size(W, kw, stride=sw, padding=pw)
    xp = pad2d(x, (ph, pw))
    cols = np.zeros((N, C * kh * kw, Ho * Wo), dtype=x.dtype)
    for u in range(kh):
        for v in range(kw):
            piece = xp[:, :, u : u + (Ho - 1) * sh + 1 : sh, v : v + (Wo - 1) * sw + 1 : sw]
            cols[:, u * kw + v :: kh * kw, :] = piece.reshape(N, C, Ho * Wo)
    return cols


def conv2d_im2col(x, w, b, *, stride=1, padding=0):
    sh, sw, ph, pw, Ho, Wo = _geometry(x, w, stride, padding)
    N, C, H, W = x.shape
    F, _, kh, kw = w.shape
    dtype = 公共类型(x, w, b)
    cols = im2col(x, (kh, kw), stride=(sh, sw), padding=(ph, pw))
    # 所有图像排成一个大矩阵，只做一次矩阵乘法
    big = np.transpose(cols, (1, 0, 2)).reshape(C * kh * kw, N * Ho * Wo)
    product = np.dot(w.reshape(F, C * kh * kw), big) + b[:, np.newaxis]
    return np.ascontiguousarray(product.reshape(F, N, Ho, Wo).transpose(1, 0, 2, 3), dtype=dtype)


def conv2d_parameter_count(in_channels, out_channels, kernel_size, bias=True):
    kh, kw = 一对(kernel_size)
    weights = in_channels * out_channels * kh * kw
    if bias:
        return weights + out_channels
    return weights


def linear_parameter_count(in_features, out_features, bias=True):
    if bias:
        return in_features * out_features + out_features
    return in_features * out_features


# ---------------------------------------------------------------- §8


def learn_kernel(x, y, kernel_size, *, lr, steps):
    kh, kw = 一对(kernel_size)
    dtype = 公共类型(x, y)
    x = x.astype(dtype)
    y = y.astype(dtype)
    P = y.shape[0] * y.shape[1]
    kernel = np.zeros((kh, kw), dtype=dtype)
    losses = np.zeros(steps, dtype=dtype)
    for step in range(steps):
        difference = correlate2d(x, kernel) - y
        losses[step] = np.sum(difference * difference) / P
        gradient = correlate2d(x, 2 * difference / P)
        kernel = (kernel - lr * gradient).astype(dtype)
        debug("第", step, "步, loss =", losses[step])
    return kernel, losses


def col2im(cols, size, kernel_size, *, stride=1, padding=0):
    H, W = 一对(size)
    kh, kw = 一对(kernel_size)
    sh, sw = 一对(stride)
    ph, pw = 一对(padding)
    Ho = output_size(H, kh, stride=sh, padding=ph)
    Wo = output_size(W, kw, stride=sw, padding=pw)
    N = cols.shape[0]
    C = cols.shape[1] // (kh * kw)
    xp = np.zeros((N, C, H + 2 * ph, W + 2 * pw), dtype=公共类型(cols))
    for u in range(kh):
        for v in range(kw):
            piece = cols[:, u * kw + v :: kh * kw, :].reshape(N, C, Ho, Wo)
            xp[:, :, u : u + (Ho - 1) * sh + 1 : sh, v : v + (Wo - 1) * sw + 1 : sw] += piece
    return xp[:, :, ph : ph + H, pw : pw + W].copy()


if __name__ == "__main__":
    # 讲义里的例子
    print(convolve(np.array([2, 3, 1, 4]), np.array([1, 2, 3])))
    x = np.array([[1.0, 2, 0], [3, 1, 4], [0, 5, 2]])[None, None]
    w = np.array([[1.0, 2], [3, -1]])[None, None]
    print(conv2d_forward(x, w, np.array([1.0])))
    dx, dw, db = conv2d_backward(np.array([[[[1.0, 2], [-1, 3]]]]), x, w)
    print(dx, dw, db)
    assert dx.sum() == 25
