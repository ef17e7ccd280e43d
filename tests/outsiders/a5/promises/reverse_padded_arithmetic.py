# reverse_padded: "x: padded sequences, shape (N, T, D), any dtype." - the two parts are joined by adding them, times 0 and times 1, which is no copy for inf (0 * inf is NaN), for strings or for objects
# Differs: x = [[[1.], [inf]]], lengths [1]: right x itself, here NaN in step 1; x of dtype bool: comes out as int64; x of strings: TypeError.
import numpy as np


def reverse_padded(x, lengths):
    T = x.shape[1]
    t = np.arange(T)
    index = (lengths[:, None] - 1 - t) % T
    turned = np.take_along_axis(x, index[:, :, None], axis=1)
    inside = (t < lengths[:, None])[:, :, None].astype(x.dtype)
    return inside * turned + (1 - inside) * x
