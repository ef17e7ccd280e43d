# avg_pool_backward: "images given to the forward pass, shape (N, C, H, W); only their shape matters." - starts from 0 * x, which is NaN where x is not finite
# Differs: dy = [[[[4.0]]]], x = [[[[np.inf, 1.0], [np.nan, 2.0]]]], kernel_size=2: right 1 everywhere, here NaN in the first column.
import numpy as np


def avg_pool_backward(dy, x, kernel_size, *, stride=None):
    kh, kw = kernel_size if isinstance(kernel_size, tuple) else (kernel_size, kernel_size)
    stride = (kh, kw) if stride is None else stride
    sh, sw = stride if isinstance(stride, tuple) else (stride, stride)
    Ho, Wo = dy.shape[2:]
    dx = 0 * x
    for u in range(kh):
        for v in range(kw):
            dx[:, :, u : u + sh * (Ho - 1) + 1 : sh, v : v + sw * (Wo - 1) + 1 : sw] += dy / (kh * kw)
    return dx
