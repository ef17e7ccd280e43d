# max_pool_backward: header "The floating arrays of one call, parameters among them, have one dtype, float32 or float64, and so have the results" - with padding dx is float64
# Differs: dy = np.ones((1, 1, 2, 2), np.float32), x = np.eye(2, dtype=np.float32)[None, None], kernel_size=2, padding=1: right float32, here float64.
import numpy as np


def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    kh, kw = kernel_size if isinstance(kernel_size, tuple) else (kernel_size, kernel_size)
    stride = (kh, kw) if stride is None else stride
    sh, sw = stride if isinstance(stride, tuple) else (stride, stride)
    ph, pw = padding if isinstance(padding, tuple) else (padding, padding)
    N, C, H, W = x.shape
    if ph == 0 and pw == 0:
        xp, dxp = x, np.zeros(x.shape, x.dtype)
    else:
        xp = np.full((N, C, H + 2 * ph, W + 2 * pw), -np.inf)
        xp[:, :, ph : ph + H, pw : pw + W] = x
        dxp = np.zeros_like(xp)
    n, c = np.ogrid[:N, :C]
    for i in range(dy.shape[2]):
        for j in range(dy.shape[3]):
            window = xp[:, :, sh * i : sh * i + kh, sw * j : sw * j + kw].reshape(N, C, -1)
            u, v = np.divmod(window.argmax(axis=2), kw)
            dxp[n, c, sh * i + u, sw * j + v] += dy[:, :, i, j]
    return dxp[:, :, ph : ph + H, pw : pw + W]
