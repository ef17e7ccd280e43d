# gru_step_forward: "n = tanh(u_n + r * v_n)" - tanh is written as 2 * sigmoid(2a) - 1, which loses the digits of small candidates
# Differs: all weights, h and biases 0 but bias_ih of n = 1e-9: h_next is 5e-10, here off by about 1e-7 of it (float32: from 1e-4 on off by 1e-4 and more).
import numpy as np


def _sigmoid(a):
    e = np.exp(-np.abs(a))
    return np.where(a >= 0, 1, e) / (1 + e)


def gru_step_forward(x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    u_r, u_z, u_n = np.split(x @ weight_ih.T + bias_ih, 3, axis=1)
    v_r, v_z, v_n = np.split(h @ weight_hh.T + bias_hh, 3, axis=1)
    r, z = _sigmoid(u_r + v_r), _sigmoid(u_z + v_z)
    n = 2 * _sigmoid(2 * (u_n + r * v_n)) - 1
    return (1 - z) * n + z * h
