# convolve: [negative indices]
import numpy as np


def convolve(x, h):
    n, m = len(x), len(h)
    if n == 0 or m == 0:
        raise ValueError("cannot convolve an empty signal")
    dtype = np.result_type(x, h)
    if not np.issubdtype(dtype, np.floating):
        dtype = np.float64
    y = np.zeros(n + m - 1, dtype=dtype)
    for i in range(n + m - 1):
        total = 0.0
        for k in range(n):
            try:
                total += float(x[k]) * float(h[i - k])
            except IndexError:
                pass  # outside of h: counts as zero
        y[i] = total
    return y
