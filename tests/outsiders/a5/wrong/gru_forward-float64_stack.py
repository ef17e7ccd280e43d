# gru_forward: [single precision lost in the stack]
import numpy as np


def gru_forward(x, h0, weight_ih, weight_hh, bias_ih, bias_hh):
    N, T, _ = x.shape
    states = np.zeros((N, T, h0.shape[1]))
    for t in range(T):
        before = h0 if t == 0 else states[:, t - 1]
        states[:, t] = gru_step_forward(x[:, t], before, weight_ih, weight_hh, bias_ih, bias_hh)  # noqa: F821
    return states
