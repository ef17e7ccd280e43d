# correlate2d: "Integers count as float64" - result_type(..., float32) gives float64 for int64, but float32 for uint8.
# x = uint8 [[1, 2], [3, 4]], w = int8 [[1]]: right is float64, here comes float32 (sums above 2**24 are off, too).
import numpy as np


def correlate2d(x, w):
    dtype = np.result_type(x, w, np.float32)
    x, w = x.astype(dtype), w.astype(dtype)
    kh, kw = w.shape
    rows, columns = x.shape[0] - kh + 1, x.shape[1] - kw + 1
    y = np.zeros((rows, columns), dtype)
    for u in range(kh):
        for v in range(kw):
            y += w[u, v] * x[u : u + rows, v : v + columns]
    return y
