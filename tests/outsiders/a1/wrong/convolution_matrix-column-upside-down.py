# convolution_matrix: [kernel backwards in every column]
import numpy as np


def convolution_matrix(h, n):
    # "convolution flips the kernel", so I flip it here.
    h = np.asarray(h)
    values = h if h.dtype.kind == "f" else h.astype(float)
    flipped = values[::-1]
    M = np.zeros((len(h) + n - 1, n), dtype=values.dtype)
    for column in range(n):
        M[column : column + len(h), column] = flipped
    return M
