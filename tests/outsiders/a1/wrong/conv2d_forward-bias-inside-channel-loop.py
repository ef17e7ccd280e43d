# conv2d_forward: [bias once for every channel]
import numpy as np


def conv2d_forward(x, w, b, *, stride=1, padding=0):
    (sh, sw), (ph, pw) = (p if isinstance(p, tuple) else (p, p) for p in (stride, padding))
    N, C, H, W = x.shape
    F, D, kh, kw = w.shape
    if C != D:
        raise ValueError("x and w differ in their channels")
    if kh > H + 2 * ph or kw > W + 2 * pw:
        raise ValueError("the window does not fit")
    Ho, Wo = (H + 2 * ph - kh) // sh + 1, (W + 2 * pw - kw) // sw + 1
    dtype = np.result_type(x, w, b)
    if dtype.kind != "f":
        dtype = np.float64
    xp = np.zeros((N, C, H + 2 * ph, W + 2 * pw), dtype)
    xp[:, :, ph : ph + H, pw : pw + W] = x
    y = np.zeros((N, F, Ho, Wo), dtype)
    for n in range(N):
        for f in range(F):
            for i in range(Ho):
                for j in range(Wo):
                    for c in range(C):
                        window = xp[n, c, sh * i : sh * i + kh, sw * j : sw * j + kw]
                        y[n, f, i, j] += np.sum(window * w[f, c]) + b[f]
    return y
