# convolve: "float64 if one of them is" - the result takes the dtype of x alone, so a float64 h is cut down to float32.
# x = float32 [1, 2], h = float64 [1/3, 1]: right is float64 [1/3, 5/3, 2], here comes float32 (and off by 1e-8).
import numpy as np


def convolve(x, h):
    n, m = len(x), len(h)
    if n == 0 or m == 0:
        raise ValueError("x or h is empty")
    y = np.zeros(n + m - 1, dtype=x.dtype if x.dtype.kind == "f" else np.float64)
    for k in range(m):
        y[k : k + n] += x * h[k]
    return y
