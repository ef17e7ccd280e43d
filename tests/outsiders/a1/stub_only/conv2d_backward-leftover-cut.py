# conv2d_backward: [leftover pixels dropped] dx has only the pixels up to the end of the last window; the rows and columns left over by the floor are missing at its end
import numpy as np


def conv2d_backward(dy, x, w, *, stride=1, padding=0):
    sh, sw = (stride, stride) if isinstance(stride, int) else stride
    ph, pw = (padding, padding) if isinstance(padding, int) else padding
    N, C, H, W = x.shape
    F, _, kh, kw = w.shape
    Ho, Wo = dy.shape[2:]
    kind = np.result_type(dy, x, w, np.float32)

    xp = np.zeros((N, C, H + 2 * ph, W + 2 * pw), kind)
    xp[:, :, ph : ph + H, pw : pw + W] = x
    rows, columns = (Ho - 1) * sh + kh, (Wo - 1) * sw + kw
    dxp = np.zeros((N, C, rows, columns), kind)
    dw = np.zeros(w.shape, kind)
    for i in range(Ho):
        for j in range(Wo):
            here = (slice(None), slice(None), slice(i * sh, i * sh + kh), slice(j * sw, j * sw + kw))
            dw += np.einsum("nf,ncuv->fcuv", dy[:, :, i, j], xp[here])
            dxp[here] += np.einsum("nf,fcuv->ncuv", dy[:, :, i, j], w)
    dx = dxp[:, :, ph : min(rows, ph + H), pw : min(columns, pw + W)]
    return dx.copy(), dw, dy.sum(axis=(0, 2, 3)).astype(kind)
