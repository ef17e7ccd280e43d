# conv2d_forward: [photograph's padding in a layer]
import numpy as np


def _conv2d_forward_pair(value):
    return (value, value) if isinstance(value, (int, np.integer)) else tuple(value)


def conv2d_forward(x, w, b, *, stride=1, padding=0):
    sh, sw = _conv2d_forward_pair(stride)
    ph, pw = _conv2d_forward_pair(padding)
    height, width = x.shape[2:]
    kh, kw = w.shape[2:]
    if x.shape[1] != w.shape[1]:
        raise ValueError(f"{x.shape[1]} channels in x, {w.shape[1]} in w")
    if height + 2 * ph < kh or width + 2 * pw < kw:
        raise ValueError("window larger than padded image")
    rows = np.clip(np.arange(-ph, height + ph), 0, height - 1)
    columns = np.clip(np.arange(-pw, width + pw), 0, width - 1)
    xp = x[:, :, rows][:, :, :, columns]  # go on with the nearest pixel outside
    windows = np.lib.stride_tricks.sliding_window_view(xp, (kh, kw), axis=(2, 3))[:, :, ::sh, ::sw]
    y = np.einsum("ncijuv,fcuv->nfij", windows, w) + b.reshape(1, -1, 1, 1)
    return y if y.dtype.kind == "f" else y.astype(np.float64)
