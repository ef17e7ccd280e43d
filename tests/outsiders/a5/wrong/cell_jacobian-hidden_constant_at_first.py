# cell_jacobian: [hidden state held constant at first]
import numpy as np


def cell_jacobian(c, gates, W, t, k):
    """Forward mode, one unit vector after the other."""
    H = c.shape[1]
    J = np.zeros((H, H), dtype=np.result_type(c, gates, W))
    for q in range(H):
        J[:, q] = _cell_jacobian_column(c, gates, W, t, k, q)
    return J


def _cell_jacobian_column(c, gates, W, t, k, q):
    H = c.shape[1]
    delta_c = np.zeros(H, dtype=c.dtype)
    delta_c[q] = 1
    delta_h = np.zeros(H, dtype=c.dtype)  # h_{t-k} was computed before the change
    for step in range(t - k + 1, t + 1):
        f, i, g, o = np.split(gates[step - 1], 4)
        old, new = c[step - 2], c[step - 1]
        delta_f, delta_i, delta_g, delta_o = np.split(W[:, :H].dot(delta_h), 4)
        delta_f = delta_f * f * (1 - f)
        delta_i = delta_i * i * (1 - i)
        delta_g = delta_g * (1 - g * g)
        delta_o = delta_o * o * (1 - o)
        delta_c = f * delta_c + old * delta_f + g * delta_i + i * delta_g
        shown = np.tanh(new)
        delta_h = o * (1 - shown * shown) * delta_c + shown * delta_o
    return delta_c
