# conv2d_im2col: [images mixed by a reshape] the columns of all images are put side by side for one product, and the product (F, N*L) is reshaped to (N, F, ...) without moving the axes; right only for one image or one filter
import numpy as np


def conv2d_im2col(x, w, b, *, stride=1, padding=0):
    (sh, sw) = stride if isinstance(stride, tuple) else (stride, stride)
    (ph, pw) = padding if isinstance(padding, tuple) else (padding, padding)
    N, C, H, W = x.shape
    F, Cw, kh, kw = w.shape
    if C != Cw:
        raise ValueError(f"the images have {C} channels, the filters {Cw}")
    cols = im2col(x, (kh, kw), stride=(sh, sw), padding=(ph, pw))
    Ho = (H + 2 * ph - kh) // sh + 1
    Wo = (W + 2 * pw - kw) // sw + 1
    side_by_side = np.concatenate(list(cols), axis=1)
    y = w.reshape(F, -1) @ side_by_side + b[:, None]
    return y.reshape(N, F, Ho, Wo)
