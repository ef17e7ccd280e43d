# cell_jacobian: "The floating arrays of one call have one dtype, float32 or float64, and so have the results, unless a docstring says otherwise." - the case k = 0 returns a float64 identity for float32 arguments
# Differs: all arrays float32, t = 2, k = 0: dtype float64 instead of float32.
import numpy as np


def cell_jacobian(c, gates, W, t, k):
    H = c.shape[1]
    if k == 0:
        return np.eye(H)
    f, i, g, o = np.split(gates[:, :, None], 4, axis=1)
    th, V = np.tanh(c)[:, :, None], W[:, :H]
    dc = np.eye(H, dtype=c.dtype)
    dh = o[t - k - 1] * (1 - th[t - k - 1] ** 2) * dc
    for s in range(t - k, t):
        af, ai, ag, ao = np.split(V @ dh, 4)
        dc = (
            f[s] * dc
            + c[s - 1][:, None] * f[s] * (1 - f[s]) * af
            + g[s] * i[s] * (1 - i[s]) * ai
            + i[s] * (1 - g[s] ** 2) * ag
        )
        dh = o[s] * (1 - th[s] ** 2) * dc + th[s] * o[s] * (1 - o[s]) * ao
    return dc
