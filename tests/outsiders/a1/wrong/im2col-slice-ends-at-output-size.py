# im2col: [stride applied twice]
import numpy as np


def im2col(x, kernel_size, *, stride=1, padding=0):
    kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
    sh, sw = (stride, stride) if isinstance(stride, int) else stride
    ph, pw = (padding, padding) if isinstance(padding, int) else padding
    N, C, H, W = x.shape
    if kh > H + 2 * ph or kw > W + 2 * pw:
        raise ValueError("the window is larger than the padded image")
    xp = np.zeros((N, C, H + 2 * ph, W + 2 * pw), dtype=x.dtype)
    xp[:, :, ph : ph + H, pw : pw + W] = x
    Ho = (H + 2 * ph - kh) // sh + 1
    Wo = (W + 2 * pw - kw) // sw + 1
    rows = []
    for c in range(C):
        for u in range(kh):
            for v in range(kw):
                seen = xp[:, c, u : u + Ho : sh, v : v + Wo : sw]
                rows.append(seen.reshape(N, -1))
    return np.stack(rows, axis=1)
