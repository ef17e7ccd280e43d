# max_pool_forward: "Padding never wins: it counts as minus infinity, not as 0" - pads with the smallest float32 number in float64 too
# Differs: x = [[[[-1e300]]]] (float64), kernel_size=2, stride=1, padding=1: right -1e300 everywhere, here -3.4e38.
import numpy as np


def max_pool_forward(x, kernel_size, *, stride=None, padding=0):
    kh, kw = kernel_size if isinstance(kernel_size, tuple) else (kernel_size, kernel_size)
    stride = (kh, kw) if stride is None else stride
    sh, sw = stride if isinstance(stride, tuple) else (stride, stride)
    ph, pw = padding if isinstance(padding, tuple) else (padding, padding)
    H, W = x.shape[2] + 2 * ph, x.shape[3] + 2 * pw
    if ph > kh // 2 or pw > kw // 2 or kh > H or kw > W:
        raise ValueError("window")
    low = float(np.finfo(np.float32).min)
    xp = np.pad(x, ((0, 0), (0, 0), (ph, ph), (pw, pw)), constant_values=low)
    Ho, Wo = (H - kh) // sh + 1, (W - kw) // sw + 1
    parts = [xp[:, :, u : u + sh * (Ho - 1) + 1 : sh, v : v + sw * (Wo - 1) + 1 : sw] for u in range(kh) for v in range(kw)]
    return np.max(parts, axis=0)
