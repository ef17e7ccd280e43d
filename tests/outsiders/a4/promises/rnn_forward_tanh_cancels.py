# rnn_forward: header "An array is right if no entry is off by more than 1e-9 times the largest entry" - tanh as 1 - 2 / (exp(2 a) + 1) loses all digits where states are small
# Differs: x = [[[1e-12]]], h0 = [[0.0]], U = [[1.0]], V = [[1.0]], b = [0.0]: right 1e-12, here off by about 1e-4 of that.
import numpy as np


def rnn_forward(x, h0, U, V, b):
    states, h = [], h0
    for t in range(x.shape[1]):
        h = 1 - 2 / (np.exp(2 * (x[:, t] @ U.T + h @ V.T + b)) + 1)
        states.append(h)
    return np.stack(states, axis=1)
