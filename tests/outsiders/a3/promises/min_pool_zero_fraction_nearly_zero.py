# min_pool_zero_fraction: "the fraction of its outputs that are zero" - small positive outputs count as zero (np.isclose has an absolute tolerance of 1e-8)
# Differs: x = [[[[1e-9, 1.0], [1.0, 1.0]]]], kernel_size=2: right 0.0, here 1.0.
import numpy as np


def min_pool_zero_fraction(x, kernel_size):
    kh, kw = kernel_size if isinstance(kernel_size, tuple) else (kernel_size, kernel_size)
    N, C, H, W = x.shape
    a = np.maximum(x, 0)[:, :, : H // kh * kh, : W // kw * kw]
    low = a.reshape(N, C, H // kh, kh, W // kw, kw).min(axis=(3, 5))
    return float(np.isclose(low, 0).mean())
