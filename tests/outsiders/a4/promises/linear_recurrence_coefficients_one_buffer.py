# linear_recurrence_coefficients: "later calls must not change it" - the answer is written into a buffer that is kept for each shape
# Differs: the coefficients of U = 1, V = 2, looked at after a call with V = 5.
import numpy as np

_buffers = {}


def linear_recurrence_coefficients(U, V, t):
    key = (t, *U.shape, U.dtype)
    C = _buffers.setdefault(key, np.empty((t, *U.shape), U.dtype))
    C[t - 1] = U
    for s in range(t - 2, -1, -1):
        C[s] = V @ C[s + 1]
    return C
