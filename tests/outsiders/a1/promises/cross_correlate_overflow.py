# cross_correlate: "Integers count as float64" - the sums are taken in the integers' own dtype and only then made float64.
# x = uint8 [200, 100, 50], h = uint8 [2, 1]: right is [500, 250], here comes [244, 250].
import numpy as np


def cross_correlate(x, h):
    n, m = len(x), len(h)
    if m > n:
        raise ValueError("h is longer than x")
    dtype = np.float32 if x.dtype == np.float32 and h.dtype == np.float32 else np.float64
    return np.array([x[i : i + m] @ h for i in range(n - m + 1)], dtype=dtype)
