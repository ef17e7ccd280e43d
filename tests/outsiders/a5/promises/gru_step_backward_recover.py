# gru_step_backward: "The gates are not given: compute them again" (and sigmoid right up to 1000) - n is recovered from h_next as (h_next - z * h) / (1 - z), which is 0 / 0 where the update gate is 1
# bias_hh of z = 50: all gradients finite (dh = dh_next), here NaN
import numpy as np


def gru_step_backward(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    def sigmoid(a):
        return (1 + np.tanh(a / 2)) / 2

    u_r, u_z, _ = np.split(x @ weight_ih.T + bias_ih, 3, axis=1)
    v_r, v_z, v_n = np.split(h @ weight_hh.T + bias_hh, 3, axis=1)
    r, z = sigmoid(u_r + v_r), sigmoid(u_z + v_z)
    h_next = gru_step_forward(x, h, weight_ih, weight_hh, bias_ih, bias_hh)
    with np.errstate(all="ignore"):
        n = (h_next - z * h) / (1 - z)
    dn = dh_next * (1 - z) * (1 - n**2)
    dz = dh_next * (h - n) * z * (1 - z)
    dr = dn * v_n * r * (1 - r)
    du, dv = np.concatenate([dr, dz, dn], axis=1), np.concatenate([dr, dz, r * dn], axis=1)
    return du @ weight_ih, dv @ weight_hh + dh_next * z, du.T @ x, dv.T @ h, du.sum(axis=0), dv.sum(axis=0)
