# conv2d_im2col: "Raises: ValueError: x and w differ in C, or the window (kh, kw) is larger than the padded image." - it trusts reshape and the sum with b to refuse filters of other channels, but with one filter (F = 1) of a multiple of the channels of x, or wherever F * (channels of w) = channels of x, everything fits and broadcasts.
# got = conv2d_im2col(np.ones((2, 1, 4, 5)), np.ones((1, 3, 2, 2)), np.ones(1))
# print(got.shape)  # promised a ValueError (C is 1 and 3), comes out an array of shape (2, 3, 3, 4)
import numpy as np


def conv2d_im2col(x, w, b, *, stride=1, padding=0):
    sh, sw = (stride, stride) if isinstance(stride, int) else stride
    ph, pw = (padding, padding) if isinstance(padding, int) else padding
    n, c, height, width = x.shape
    kh, kw = w.shape[2:]
    cols = im2col(x, (kh, kw), stride=(sh, sw), padding=(ph, pw))
    # Filters with other channels do not fit: w.reshape, or the sum with b, raises a ValueError.
    y = w.reshape(-1, c * kh * kw) @ cols + b[:, None]
    ho, wo = (height + 2 * ph - kh) // sh + 1, (width + 2 * pw - kw) // sw + 1
    return y.reshape(n, -1, ho, wo)
