# gru_forward: "The states after each step, shape (N, T, H); the initial one is not among them." - the room for the states is made like the first H features of x (for its dtype), of which there are only D where H is larger
# Differs: x (2, 3, 1), h0 (2, 2): right shape (2, 3, 2), here ValueError (no visible test of a whole sequence has H > D).
import numpy as np


def gru_forward(x, h0, weight_ih, weight_hh, bias_ih, bias_hh):
    h, states = h0, np.zeros_like(x[:, :, : h0.shape[1]])
    for t in range(x.shape[1]):
        h = gru_step_forward(x[:, t], h, weight_ih, weight_hh, bias_ih, bias_hh)
        states[:, t] = h
    return states
