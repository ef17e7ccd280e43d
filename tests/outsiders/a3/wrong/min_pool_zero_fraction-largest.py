# min_pool_zero_fraction: [the largest value kept]
import numpy as np


def min_pool_zero_fraction(x, kernel_size):
    kh, kw = np.broadcast_to(kernel_size, 2).tolist()
    n, c, h, w = x.shape
    ho, wo = h // kh, w // kw
    relu = np.maximum(x, 0)[:, :, : ho * kh, : wo * kw]
    windows = relu.reshape(n, c, ho, kh, wo, kw)
    zero = np.all(windows == 0, axis=(3, 5))
    return float(zero.sum() / zero.size)
