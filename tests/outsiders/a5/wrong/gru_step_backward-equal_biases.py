# gru_step_backward: [equal biases]
import numpy as np


def gru_step_backward(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    H = h.shape[1]
    u = x @ weight_ih.T + bias_ih
    v = h @ weight_hh.T + bias_hh
    r = _gru_step_backward_sigmoid(u[:, :H] + v[:, :H])
    z = _gru_step_backward_sigmoid(u[:, H : 2 * H] + v[:, H : 2 * H])
    v_n = v[:, 2 * H :]
    n = np.tanh(u[:, 2 * H :] + r * v_n)

    du = np.zeros_like(u)
    da_n = dh_next * (1 - z) * (1 - n * n)
    du[:, :H] = da_n * v_n * r * (1 - r)
    du[:, H : 2 * H] = dh_next * (h - n) * z * (1 - z)
    du[:, 2 * H :] = da_n
    dv = du.copy()
    dv[:, 2 * H :] *= r

    dx = du @ weight_ih
    dh = dv @ weight_hh + dh_next * z
    db = du.sum(axis=0)
    return dx, dh, du.T @ x, dv.T @ h, db, db.copy()  # u and v are added, so both biases see the same


def _gru_step_backward_sigmoid(a):
    return np.tanh(a / 2) / 2 + 0.5
