# conv2d_im2col: "y, shape (N, F, Ho, Wo), in the common floating dtype." - the result is made in the dtype of x, whatever w and b are
# x in float32, w and b in float64: right float64; here float32
import numpy as np


def conv2d_im2col(x, w, b, *, stride=1, padding=0):
    sh, sw = stride if isinstance(stride, tuple) else (stride, stride)
    ph, pw = padding if isinstance(padding, tuple) else (padding, padding)
    N, C, H, W = x.shape
    F, Cw, kh, kw = w.shape
    if C != Cw or kh > H + 2 * ph or kw > W + 2 * pw:
        raise ValueError("x and w do not fit")
    Ho, Wo = (H + 2 * ph - kh) // sh + 1, (W + 2 * pw - kw) // sw + 1
    y = np.empty((N, F, Ho * Wo), dtype=x.dtype)
    y[:] = w.reshape(F, -1) @ im2col(x, (kh, kw), stride=stride, padding=padding)
    y += b[:, None].astype(x.dtype)
    return y.reshape(N, F, Ho, Wo)
