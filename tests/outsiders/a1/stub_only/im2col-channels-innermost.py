# im2col: [channels innermost] within a column the channels of a pixel stand together (u, v, c) instead of channel by channel (c, u, v)
import numpy as np


def im2col(x, kernel_size, *, stride=1, padding=0):
    two = lambda number: (number, number) if np.ndim(number) == 0 else tuple(number)
    (kh, kw), (sh, sw), (ph, pw) = two(kernel_size), two(stride), two(padding)
    n, c, height, width = x.shape
    padded = np.zeros((n, c, height + 2 * ph, width + 2 * pw), x.dtype)
    padded[:, :, ph : ph + height, pw : pw + width] = x
    if kh > padded.shape[2] or kw > padded.shape[3]:
        raise ValueError("the window is larger than the padded image")
    windows = np.lib.stride_tricks.sliding_window_view(padded, (kh, kw), axis=(2, 3))[:, :, ::sh, ::sw]
    return windows.transpose(0, 4, 5, 1, 2, 3).reshape(n, kh * kw * c, -1)
