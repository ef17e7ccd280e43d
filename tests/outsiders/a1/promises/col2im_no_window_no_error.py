# col2im: "Raises: ValueError: the window (kh, kw) is larger than the padded image." - it leaves the error to reshape, which refuses columns that cannot be arranged, but not zero columns where the window is too large by less than a stride (L = Ho * Wo = 0).
# got = col2im(np.zeros((1, 6, 0)), (2, 4), (3, 2))  # 3 rows do not fit into 2: no window, no column
# print(got.shape)  # promised a ValueError, comes out an image of zeros of shape (1, 1, 2, 4)
import numpy as np


def col2im(cols, size, kernel_size, *, stride=1, padding=0):
    def pair(value):
        return (value, value) if isinstance(value, int) else value

    (height, width), (kh, kw) = pair(size), pair(kernel_size)
    (sh, sw), (ph, pw) = pair(stride), pair(padding)
    n, c = cols.shape[0], cols.shape[1] // (kh * kw)
    ho, wo = (height + 2 * ph - kh) // sh + 1, (width + 2 * pw - kw) // sw + 1
    parts = cols.reshape(n, c, kh, kw, ho, wo)  # a ValueError where the window does not fit
    x = np.zeros((n, c, height + 2 * ph, width + 2 * pw), dtype=cols.dtype)
    for u in range(kh):
        for v in range(kw):
            x[:, :, u : u + sh * ho : sh, v : v + sw * wo : sw] += parts[:, :, u, v]
    return x[:, :, ph : ph + height, pw : pw + width]
