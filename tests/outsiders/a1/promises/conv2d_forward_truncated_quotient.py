# conv2d_forward: "ValueError: x and w differ in C, or the window (kh, kw) is larger than the padded image." - int(a / b) rounds a negative quotient towards zero, so with a stride a window that is too large counts once; NumPy refuses the product mostly, but a single row (or column) is broadcast against the kernel's.
import numpy as np


def conv2d_forward(x, w, b, *, stride=1, padding=0):
    sh, sw = (stride, stride) if isinstance(stride, int) else stride
    ph, pw = (padding, padding) if isinstance(padding, int) else padding
    (n, c, height, width), (f, channels, kh, kw) = x.shape, w.shape
    if c != channels:
        raise ValueError("x and w differ in C")
    ho = int((height + 2 * ph - kh) / sh) + 1
    wo = int((width + 2 * pw - kw) / sw) + 1
    if ho < 1 or wo < 1:
        raise ValueError("the window is larger than the padded image")
    xp = pad2d(x, (ph, pw))
    y = np.zeros((n, f, ho, wo), x.dtype)
    for i in range(ho):
        for j in range(wo):
            window = xp[:, None, :, i * sh : i * sh + kh, j * sw : j * sw + kw]
            y[:, :, i, j] = (window * w).sum(axis=(2, 3, 4)) + b
    return y
