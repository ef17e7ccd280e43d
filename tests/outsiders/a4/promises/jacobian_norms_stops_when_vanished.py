# jacobian_norms: "norms[k] = | d h_T / d h_{T-k} | for k = 0, 1, ..., max_lag" - what has vanished is taken to stay so
# Differs: all states 0 but the last two, 1 - 1e-10; V = [[0, 3], [3, 0]], 60 lags: right 1.7e9 at the last, here 0.
import numpy as np


def jacobian_norms(h, V, max_lag):
    T = len(h) - 1
    norms = np.zeros(max_lag + 1, dtype=h.dtype)
    for k in range(max_lag + 1):
        norms[k] = np.linalg.norm(state_jacobian(h, V, T, k), 2)
        if norms[k] < 1e-15:
            break
    return norms
