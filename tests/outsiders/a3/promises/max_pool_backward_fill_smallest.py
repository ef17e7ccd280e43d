# max_pool_backward: "each receives dy times a fraction from 0 to 1, and the fractions sum to 1" - the padding is filled with the smallest pixel instead of minus infinity; that never wins the forward pass, but in a window of nothing but smallest pixels (ReLU's zeros) it ties, comes first at the top and left border, and its gradient is cut off with the padding.
import numpy as np


def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
    stride = (kh, kw) if stride is None else stride
    sh, sw = (stride, stride) if isinstance(stride, int) else stride
    ph, pw = (padding, padding) if isinstance(padding, int) else padding
    n, c, height, width = x.shape
    ho, wo = dy.shape[2:]
    xp = np.full((n, c, height + 2 * ph, width + 2 * pw), x.min(), dtype=x.dtype)
    xp[:, :, ph : ph + height, pw : pw + width] = x
    dxp = np.zeros_like(xp)
    images, channels = np.arange(n)[:, None], np.arange(c)
    for i in range(ho):
        for j in range(wo):
            window = xp[:, :, i * sh : i * sh + kh, j * sw : j * sw + kw].reshape(n, c, kh * kw)
            u, v = np.divmod(window.argmax(axis=2), kw)
            dxp[images, channels, i * sh + u, j * sw + v] += dy[:, :, i, j]
    return dxp[:, :, ph : ph + height, pw : pw + width]
