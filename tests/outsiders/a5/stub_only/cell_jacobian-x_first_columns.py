# cell_jacobian: [weights of the input] takes the last H columns of W for the hidden state's, as if x stood before h (same shape when D >= H; with D < H they overlap)
import numpy as np


def _cell_jacobian_step(dc, dh, c_before, c_after, gates, U):
    H = c_after.shape[0]
    f, i, g, o = (gates[j * H : (j + 1) * H] for j in range(4))
    da = (U @ dh).reshape(4, H, H)
    th = np.tanh(c_after)
    dc_new = (
        f[:, None] * dc
        + (c_before * f * (1 - f))[:, None] * da[0]
        + (g * i * (1 - i))[:, None] * da[1]
        + (i * (1 - g * g))[:, None] * da[2]
    )
    dh_new = (o * (1 - th * th))[:, None] * dc_new + (th * o * (1 - o))[:, None] * da[3]
    return dc_new, dh_new


def cell_jacobian(c, gates, W, t, k):
    H = c.shape[1]
    U = W[:, -H:]  # the recurrent part
    start = t - k - 1
    dc = np.eye(H, dtype=np.result_type(c, gates, W))
    dh = np.diag(gates[start, 3 * H :] * (1 - np.tanh(c[start]) ** 2))
    for s in range(start + 1, t):
        dc, dh = _cell_jacobian_step(dc, dh, c[s - 1], c[s], gates[s], U)
    return dc
