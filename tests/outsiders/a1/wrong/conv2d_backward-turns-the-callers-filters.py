# conv2d_backward: [flipped in place]
import numpy as np


def conv2d_backward(dy, x, w, *, stride=1, padding=0):
    """dx as a full convolution of the spread-out dy, which is a correlation with the filters turned round."""
    as_pair = lambda p: tuple(p) if isinstance(p, (tuple, list)) else (p, p)
    (sh, sw), (ph, pw) = as_pair(stride), as_pair(padding)
    N, C, H, W = x.shape
    F, _, kh, kw = w.shape
    Ho, Wo = dy.shape[2:]
    kind = np.result_type(dy, x, w)
    kind = kind if kind.kind == "f" else np.float64
    Hp, Wp = H + 2 * ph, W + 2 * pw

    xp = np.zeros((N, C, Hp, Wp), kind)
    xp[:, :, ph : ph + H, pw : pw + W] = x
    windows = np.lib.stride_tricks.sliding_window_view(xp, (kh, kw), axis=(2, 3))[:, :, ::sh, ::sw]
    dw = np.einsum("nfij,ncijuv->fcuv", dy, windows).astype(kind)

    spread = np.zeros((N, F, Hp + kh - 1, Wp + kw - 1), kind)
    spread[:, :, kh - 1 : kh - 1 + sh * Ho : sh, kw - 1 : kw - 1 + sw * Wo : sw][:, :, :Ho, :Wo] = dy
    turned = w[:]  # a copy to work on
    turned[...] = turned[:, :, ::-1, ::-1].copy()
    around = np.lib.stride_tricks.sliding_window_view(spread, (kh, kw), axis=(2, 3))
    dxp = np.einsum("nfrquv,fcuv->ncrq", around, turned)
    dx = dxp[:, :, ph : ph + H, pw : pw + W].astype(kind)
    return dx, dw, np.einsum("nfij->f", dy).astype(kind)
