# state_jacobian: "With k = 0, J is the identity." (header: "have one dtype, float32 or float64, and so have the results") - the identity is float64 always
# Differs: h, V in float32, t = 1, k = 0: right float32, here float64.
import numpy as np


def state_jacobian(h, V, t, k):
    if k < 0 or k > t:
        raise ValueError("lag")
    if k == 0:
        return np.eye(V.shape[0])
    J = V * (1 - h[t - k + 1] ** 2)[:, None]
    for s in range(t - k + 2, t + 1):
        J = (1 - h[s] ** 2)[:, None] * (V @ J)
    return J
