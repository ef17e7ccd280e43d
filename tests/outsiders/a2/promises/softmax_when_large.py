# softmax: "They may be large, 1000 or -1000, and differ as much from row to row; no result is NaN." - "exp overflows at 709, so the maximum needs to be subtracted only if there are scores beyond 500." True in float64; in float32 the end comes at 88.
import numpy as np


def softmax(x, axis=-1):
    if np.abs(x).max() > 500:
        x = x - x.max(axis=axis, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)
