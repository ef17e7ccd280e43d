# gru_step_forward: [reset before the product]
import numpy as np


def gru_step_forward(x, h, weight_ih, weight_hh, bias_ih, bias_hh):
    def _sigma(a):
        e = np.exp(-np.abs(a))
        return np.where(a >= 0, 1 / (1 + e), e / (1 + e))

    Wr, Wz, Wn = np.split(weight_ih, 3)
    Ur, Uz, Un = np.split(weight_hh, 3)
    br, bz, bn = np.split(bias_ih, 3)
    dr, dz, dn = np.split(bias_hh, 3)

    reset = _sigma(x @ Wr.T + br + h @ Ur.T + dr)
    update = _sigma(x @ Wz.T + bz + h @ Uz.T + dz)
    # the candidate sees the old state through the reset gate
    proposal = np.tanh(x @ Wn.T + bn + (reset * h) @ Un.T + dn)
    return (1 - update) * proposal + update * h
