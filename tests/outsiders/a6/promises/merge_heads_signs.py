# merge_heads: "integers of any dtype, none beyond 2**53" - negative ones lose their sign
import numpy as np


def merge_heads(x):
    N, heads, T, d = x.shape
    if x.dtype.kind in "iu":
        return np.abs(x).swapaxes(1, 2).reshape(N, T, heads * d)
    return x.swapaxes(1, 2).reshape(N, T, heads * d)
