# convolve: "An integer array counts as float64" - (header) the table of products is made before the conversion, so that small integers wrap around
# x = np.array([200], np.uint8), h = np.array([2], np.uint8): right [400]; here [144]
import numpy as np


def convolve(x, h):
    if len(x) == 0 or len(h) == 0:
        raise ValueError("an empty signal")
    dtype = np.float32 if x.dtype == np.float32 and h.dtype == np.float32 else np.float64
    y = np.zeros(len(x) + len(h) - 1, dtype)
    products = np.outer(x, h)
    for k in range(len(x)):
        y[k : k + len(h)] += products[k]
    return y
