# conv2d_backward: [cropped from minus zero on one axis]
import numpy as np


def conv2d_backward(dy, x, w, *, stride=1, padding=0):
    sh, sw = (stride, stride) if np.isscalar(stride) else stride
    ph, pw = (padding, padding) if np.isscalar(padding) else padding
    n, c, height, width = x.shape
    f, _, kh, kw = w.shape
    ho, wo = dy.shape[-2:]
    dtype = np.result_type(dy, x, w)
    dtype = dtype if dtype.kind == "f" else np.dtype(np.float64)

    xp = np.zeros((n, c, height + 2 * ph, width + 2 * pw), dtype)
    xp[:, :, ph : height + ph, pw : width + pw] = x
    dxp = np.zeros_like(xp)
    dw = np.zeros(w.shape, dtype)
    for u in range(kh):
        for v in range(kw):
            rows, columns = slice(u, u + sh * (ho - 1) + 1, sh), slice(v, v + sw * (wo - 1) + 1, sw)
            dw[:, :, u, v] = np.tensordot(dy, xp[:, :, rows, columns], axes=((0, 2, 3), (0, 2, 3)))
            dxp[:, :, rows, columns] += np.tensordot(dy, w[:, :, u, v], axes=(1, 0)).transpose(0, 3, 1, 2)
    db = dy.sum((0, 2, 3), dtype=dtype)
    if ph == 0 and pw == 0:
        return dxp, dw, db
    return dxp[:, :, ph:-ph, pw:-pw], dw, db
