# max_pool_forward: [windows that stick out]
import math

import numpy as np


def _max_pool_forward_pair(p):
    return (p, p) if isinstance(p, (int, np.integer)) else (p[0], p[1])


def max_pool_forward(x, kernel_size, *, stride=None, padding=0):
    kh, kw = _max_pool_forward_pair(kernel_size)
    sh, sw = (kh, kw) if stride is None else _max_pool_forward_pair(stride)
    ph, pw = _max_pool_forward_pair(padding)
    n, c, h, w = x.shape
    if ph > kh // 2 or pw > kw // 2:
        raise ValueError("padding is larger than half of the window")
    if kh > h + 2 * ph or kw > w + 2 * pw:
        raise ValueError("the window is larger than the padded image")
    # no pixel may go unseen: the last window takes what is left
    ho = math.ceil((h + 2 * ph - kh) / sh) + 1
    wo = math.ceil((w + 2 * pw - kw) / sw) + 1
    big = np.full((n, c, (ho - 1) * sh + kh, (wo - 1) * sw + kw), -np.inf, dtype=x.dtype)
    big[:, :, ph : ph + h, pw : pw + w] = x[:, :, : big.shape[2] - ph, : big.shape[3] - pw]
    y = np.full((n, c, ho, wo), -np.inf, dtype=x.dtype)
    for u in range(kh):
        for v in range(kw):
            np.maximum(y, big[:, :, u : u + (ho - 1) * sh + 1 : sh, v : v + (wo - 1) * sw + 1 : sw], out=y)
    return y
