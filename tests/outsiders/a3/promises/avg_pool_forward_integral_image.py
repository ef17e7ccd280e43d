# avg_pool_forward: header "An array is right if no entry is off by more than 1e-9 times the largest entry (in float32 1e-4 times)" - running sums over the whole image in float32 lose the digits
# Differs: x = np.random.default_rng(0).random((1, 1, 300, 300), np.float32) + 1, kernel_size=2: off by more than 1e-4 times the largest.
import numpy as np


def avg_pool_forward(x, kernel_size, *, stride=None):
    kh, kw = kernel_size if isinstance(kernel_size, tuple) else (kernel_size, kernel_size)
    stride = (kh, kw) if stride is None else stride
    sh, sw = stride if isinstance(stride, tuple) else (stride, stride)
    N, C, H, W = x.shape
    s = np.zeros((N, C, H + 1, W + 1), x.dtype)
    s[:, :, 1:, 1:] = x.cumsum(axis=2).cumsum(axis=3)  # sums of everything above and to the left
    i, j = np.arange(0, H - kh + 1, sh)[:, None], np.arange(0, W - kw + 1, sw)
    return (s[:, :, i + kh, j + kw] - s[:, :, i, j + kw] - s[:, :, i + kh, j] + s[:, :, i, j]) / (kh * kw)
