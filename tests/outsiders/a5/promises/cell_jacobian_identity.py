# cell_jacobian: "The floating arrays of one call have one dtype, float32 or float64, and so have the results" (file header), with "0 <= k < t; no step at all leaves the identity" - answers k = 0 at once by np.eye(H), which is float64 also when the arguments are float32.
# c, gates, W = (np.full(s, 0.5, np.float32) for s in ((3, 2), (3, 8), (8, 5)))
# cell_jacobian(c, gates, W, 2, 0).dtype
# promised: float32; comes out: float64
import numpy as np


def cell_jacobian(c, gates, W, t, k):
    H = c.shape[1]
    if k == 0:
        return np.eye(H)
    f, i, g, o = (gates[:, j * H : (j + 1) * H] for j in range(4))
    Vf, Vi, Vg, Vo = (W[j * H : (j + 1) * H, :H] for j in range(4))
    s = t - k - 1
    dc = np.eye(H, dtype=c.dtype)
    dh = np.diag(o[s] * (1 - np.tanh(c[s]) ** 2))
    for s in range(t - k, t):
        dc = (
            f[s][:, None] * dc
            + (c[s - 1] * f[s] * (1 - f[s]))[:, None] * (Vf @ dh)
            + (g[s] * i[s] * (1 - i[s]))[:, None] * (Vi @ dh)
            + (i[s] * (1 - g[s] ** 2))[:, None] * (Vg @ dh)
        )
        y = np.tanh(c[s])
        dh = (o[s] * (1 - y * y))[:, None] * dc + (y * o[s] * (1 - o[s]))[:, None] * (Vo @ dh)
    return dc
