# conv2d_backward: "(dx, dw, db), with the shapes of x, w and b, in the common floating dtype." - db has the dtype of dy alone
# dy in float32, x and w in float64: right float64 for all three; here db is float32
import numpy as np


def conv2d_backward(dy, x, w, *, stride=1, padding=0):
    sh, sw = stride if isinstance(stride, tuple) else (stride, stride)
    ph, pw = padding if isinstance(padding, tuple) else (padding, padding)
    dtype = np.float32 if all(a.dtype == np.float32 for a in (dy, x, w)) else np.float64
    db = dy.sum(axis=(0, 2, 3))
    xp = pad2d(x, (ph, pw)).astype(dtype)
    dxp, dw = np.zeros_like(xp), np.zeros(w.shape, dtype)
    H, W = x.shape[2:]
    Ho, Wo = dy.shape[2:]
    for i in range(Ho):
        for j in range(Wo):
            rows, columns = slice(sh * i, sh * i + w.shape[2]), slice(sw * j, sw * j + w.shape[3])
            g = dy[:, :, i, j]
            dw += np.einsum("nf,ncuv->fcuv", g, xp[:, :, rows, columns])
            dxp[:, :, rows, columns] += np.einsum("nf,fcuv->ncuv", g, w)
    return dxp[:, :, ph : ph + H, pw : pw + W], dw, db
