# im2col: "cols, shape (N, C * kh * kw, L); keeps the dtype." - integers come back as floats, since the table is made in the common floating dtype
# x = np.arange(9).reshape(1, 1, 3, 3), kernel_size = 2: right int64; here float64
import numpy as np


def im2col(x, kernel_size, *, stride=1, padding=0):
    def pair(p):
        return p if isinstance(p, tuple) else (p, p)

    (kh, kw), (sh, sw), (ph, pw) = pair(kernel_size), pair(stride), pair(padding)
    xp = pad2d(x, (ph, pw))
    N, C, Hp, Wp = xp.shape
    if kh > Hp or kw > Wp:
        raise ValueError("the window is larger than the padded image")
    Ho, Wo = (Hp - kh) // sh + 1, (Wp - kw) // sw + 1
    dtype = np.float32 if x.dtype == np.float32 else np.float64
    cols = np.empty((N, C, kh, kw, Ho, Wo), dtype)
    for u in range(kh):
        for v in range(kw):
            cols[:, :, u, v] = xp[:, :, u : u + sh * Ho : sh, v : v + sw * Wo : sw][:, :, :Ho, :Wo]
    return cols.reshape(N, C * kh * kw, Ho * Wo)
