# state_jacobian: "With k = 0, J is the identity." and the header's "one dtype, float32 or float64, and so have the results" - the identity comes in float64
# float32 h and V, k = 0: right an identity of float32, here of float64
import numpy as np


def state_jacobian(h, V, t, k):
    if not 0 <= k <= t:
        raise ValueError("no such lag")
    if k == 0:
        return np.eye(len(V))
    J = (1 - h[t] ** 2)[:, None] * V
    for s in range(t - 1, t - k, -1):
        J = J @ ((1 - h[s] ** 2)[:, None] * V)
    return J
