# state_jacobian: [slopes of the states before]
import numpy as np


def state_jacobian(h, V, t, k):
    if k < 0:
        raise ValueError("the lag cannot be negative")
    if k > t:
        raise ValueError("there is no state before h_0")

    J = np.eye(len(V), dtype=V.dtype)
    s = t - k
    while s < t:
        # one step forward, from h_s to h_(s+1)
        D = np.diag(1 - h[s] * h[s])
        J = D @ V @ J
        s += 1
    return J
