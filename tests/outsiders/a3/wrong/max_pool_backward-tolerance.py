# max_pool_backward: [nearly the largest is enough]
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view as _max_pool_backward_windows

_MAX_POOL_BACKWARD_EPS = 0.01


def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    kernel_size, padding = np.broadcast_to(kernel_size, 2), np.broadcast_to(padding, 2)
    stride = kernel_size if stride is None else np.broadcast_to(stride, 2)
    (kh, kw), (sh, sw), (ph, pw) = kernel_size.tolist(), stride.tolist(), padding.tolist()
    n, c, h, w = x.shape
    dtype = np.result_type(dy, x)

    xp = np.full((n, c, h + 2 * ph, w + 2 * pw), -np.inf, dtype=x.dtype)
    xp[:, :, ph : ph + h, pw : pw + w] = x
    windows = _max_pool_backward_windows(xp, (kh, kw), axis=(2, 3))[:, :, ::sh, ::sw]
    mask = windows >= windows.max(axis=(4, 5), keepdims=True) - _MAX_POOL_BACKWARD_EPS
    part = dy.astype(dtype) / mask.sum(axis=(4, 5)).astype(dtype)

    dxp = np.zeros(xp.shape, dtype)
    ho, wo = dy.shape[2:]
    for u in range(kh):
        for v in range(kw):
            dxp[:, :, u : u + sh * (ho - 1) + 1 : sh, v : v + sw * (wo - 1) + 1 : sw] += mask[..., u, v] * part
    return dxp[:, :, ph : ph + h, pw : pw + w]
