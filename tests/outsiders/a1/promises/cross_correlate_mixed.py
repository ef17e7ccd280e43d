# cross_correlate: "An integer array counts as float64, so a uint8 image and a float32 kernel give float64" - (header) the dtype is np.result_type, for which uint8 and float32 make float32
# x = np.arange(5, dtype=np.uint8), h = np.ones(2, np.float32): right float64; here float32
import numpy as np


def cross_correlate(x, h):
    n, m = len(x), len(h)
    if m > n:
        raise ValueError("h is longer than x")
    dtype = np.result_type(x, h)
    if dtype.kind != "f":
        dtype = np.float64
    x, h = x.astype(dtype), h.astype(dtype)
    y = np.zeros(n - m + 1, dtype)
    for k in range(m):
        y += x[k : k + n - m + 1] * h[k]
    return y
