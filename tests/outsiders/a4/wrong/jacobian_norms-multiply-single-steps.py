# jacobian_norms: [product of norms]
import numpy as np


def jacobian_norms(h, V, max_lag):
    last = h.shape[0] - 1
    single = [np.linalg.norm(state_jacobian(h, V, s, 1), ord=2) for s in range(last, last - max_lag, -1)]
    return np.cumprod(np.array([1.0, *single], dtype=V.dtype))
