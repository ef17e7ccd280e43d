# gru_step_backward: "sigmoid(a) = 1 / (1 + exp(-a)), right and not NaN up to a = 1000 and down to a = -1000." - the gates are computed again as exp(a) / (1 + exp(a)), inf / inf from a = 710 on (float32: 89)
# Differs: bias_ih of z = 1000 (or 100 in float32): right gradients are finite, here NaN.
import numpy as np


def gru_step_backward(dh_next, x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    u_r, u_z, u_n = np.split(x @ weight_ih.T + bias_ih, 3, axis=1)
    v_r, v_z, v_n = np.split(h @ weight_hh.T + bias_hh, 3, axis=1)
    r = np.exp(u_r + v_r) / (1 + np.exp(u_r + v_r))
    z = np.exp(u_z + v_z) / (1 + np.exp(u_z + v_z))
    n = np.tanh(u_n + r * v_n)
    da_n = dh_next * (1 - z) * (1 - n**2)
    da_z = dh_next * (h - n) * z * (1 - z)
    da_r = da_n * v_n * r * (1 - r)
    du = np.concatenate([da_r, da_z, da_n], axis=1)
    dv = np.concatenate([da_r, da_z, r * da_n], axis=1)
    dh = dh_next * z + dv @ weight_hh
    return du @ weight_ih, dh, du.T @ x, dv.T @ h, du.sum(axis=0), dv.sum(axis=0)
