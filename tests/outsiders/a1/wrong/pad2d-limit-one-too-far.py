# pad2d: [mirror beyond the image]
import numpy as np


def _pad2d_reflected(n, p):
    """Source indices along an axis: up and down again, with a period of 2 (n - 1)."""
    if n == 1:
        return np.zeros(n + 2 * p, dtype=int)
    index = np.arange(-p, n + p) % (2 * n - 2)
    return np.minimum(index, 2 * n - 2 - index)


def pad2d(x, padding, mode="zeros"):
    x = np.asarray(x)
    ph, pw = padding if isinstance(padding, (tuple, list)) else (padding, padding)
    h, w = x.shape[-2], x.shape[-1]
    if mode == "reflect":
        if ph > h or pw > w:
            raise ValueError("padding is larger than the image")
        return np.take(np.take(x, _pad2d_reflected(h, ph), axis=-2), _pad2d_reflected(w, pw), axis=-1)
    if mode == "replicate":
        rows = [max(0, min(h - 1, i)) for i in range(-ph, h + ph)]
        cols = [max(0, min(w - 1, j)) for j in range(-pw, w + pw)]
        return x[..., rows, :][..., cols]
    if mode != "zeros":
        raise ValueError(f"no padding mode {mode!r}")
    y = np.zeros((*x.shape[:-2], h + 2 * ph, w + 2 * pw), dtype=x.dtype)
    y[..., ph : h + ph, pw : w + pw] = x
    return y
