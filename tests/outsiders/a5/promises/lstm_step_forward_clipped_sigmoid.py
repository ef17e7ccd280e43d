# lstm_step_forward: [exponent bounded too tightly] the argument of the sigmoid is clipped to -30 ... 30, so that a gate is never quite shut
import numpy as np


def lstm_step_forward(x, h, c, W, b):
    H = h.shape[1]
    a = np.hstack([h, x]) @ W.T + b
    squashed = 1 / (1 + np.exp(-np.clip(a, -30, 30)))
    f, i, o = squashed[:, :H], squashed[:, H : 2 * H], squashed[:, 3 * H :]
    g = np.tanh(a[:, 2 * H : 3 * H])
    c_next = f * c + i * g
    h_next = o * np.tanh(c_next)
    return h_next, c_next, np.hstack([f, i, g, o])
