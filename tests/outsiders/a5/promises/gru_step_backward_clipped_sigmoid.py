# gru_step_backward: the argument of the sigmoid is clipped to -30 ... 30, so that a gate that is shut keeps a slope
import numpy as np


def gru_step_backward(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    def sig(a):
        return 1 / (1 + np.exp(-np.clip(a, -30, 30)))

    H = h.shape[1]
    u = x @ weight_ih.T + bias_ih
    v = h @ weight_hh.T + bias_hh
    r = sig(u[:, :H] + v[:, :H])
    z = sig(u[:, H : 2 * H] + v[:, H : 2 * H])
    n = np.tanh(u[:, 2 * H :] + r * v[:, 2 * H :])
    dn = dh_next * (1 - z) * (1 - n * n)
    dz = dh_next * (h - n) * z * (1 - z)
    dr = dn * v[:, 2 * H :] * r * (1 - r)
    du = np.concatenate([dr, dz, dn], axis=1)
    dv = np.concatenate([dr, dz, r * dn], axis=1)
    return du @ weight_ih, dv @ weight_hh + dh_next * z, du.T @ x, dv.T @ h, du.sum(axis=0), dv.sum(axis=0)
