# max_pool_backward: "Only the largest value of a window has an influence on y, so that pixel alone receives the window's dy" (x "as far from zero as there"; handout: "The padding wins nothing on the way back either")
# pads with x.min() - 1, which rounds to x.min() itself where x is large (2e7 in float32, 1e17 in float64): a window of the padding and the smallest pixels of x is then won by the padding, and its dy is lost.
import numpy as np


def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
    if stride is None:
        stride = (kh, kw)
    sh, sw = (stride, stride) if isinstance(stride, int) else stride
    ph, pw = (padding, padding) if isinstance(padding, int) else padding
    n, c, height, width = x.shape
    xp = np.pad(x, ((0, 0), (0, 0), (ph, ph), (pw, pw)), constant_values=x.min() - 1)  # less than every pixel
    dxp = np.zeros(xp.shape, dtype=dy.dtype)
    images, channels = np.ogrid[:n, :c]
    for i in range(dy.shape[2]):
        for j in range(dy.shape[3]):
            window = xp[:, :, i * sh : i * sh + kh, j * sw : j * sw + kw].reshape(n, c, -1)
            u, v = np.divmod(window.argmax(axis=2), kw)
            dxp[images, channels, i * sh + u, j * sw + v] += dy[:, :, i, j]
    return dxp[:, :, ph : ph + height, pw : pw + width]
