# state_jacobian: [from the last state whatever the time] t is only used for the check of k; the product always runs back from the last state of h, not from h_t
import numpy as np


def state_jacobian(h, V, t, k):
    if not 0 <= k <= t:
        raise ValueError(f"lag {k} is not between 0 and {t}")
    jac = np.identity(V.shape[0], dtype=V.dtype)
    for back in range(1, k + 1):
        slope = 1 - h[-back] ** 2  # the last state first
        jac = jac @ (slope[:, np.newaxis] * V)
    return jac
