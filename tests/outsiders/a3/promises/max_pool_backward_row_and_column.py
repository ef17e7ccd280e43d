# max_pool_backward: [row and column looked for apart] the first row with the largest maximum, and the first such column
import numpy as np


def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    def pair(value):
        return (value, value) if isinstance(value, int) else tuple(value)

    kh, kw = pair(kernel_size)
    sh, sw = (kh, kw) if stride is None else pair(stride)
    ph, pw = pair(padding)
    xp = np.pad(x, ((0, 0), (0, 0), (ph, ph), (pw, pw)), constant_values=-np.inf)
    dxp = np.zeros_like(xp)
    N, C, Ho, Wo = dy.shape
    images, channels = np.ogrid[:N, :C]
    for i in range(Ho):
        for j in range(Wo):
            window = xp[:, :, i * sh : i * sh + kh, j * sw : j * sw + kw]
            u = window.max(axis=3).argmax(axis=2)
            v = window.max(axis=2).argmax(axis=2)
            dxp[images, channels, i * sh + u, j * sw + v] += dy[:, :, i, j]
    return dxp[:, :, ph : ph + x.shape[2], pw : pw + x.shape[3]]
