# lstm_step_forward: "sigmoid(a) = 1 / (1 + exp(-a)), right and not NaN up to a = 1000 and down to a = -1000." - the sigmoid is written as (1 + tanh(a/2)) / 2, which loses all digits of a nearly closed gate
# Differs: float32, x = h = W = 0, c = 1, b = (f 0, i 0, g 0, o -12): h_next is off by more than 1e-4 of its value (right: 2.8394e-6).
import numpy as np


def lstm_step_forward(x, h, c, W, b):
    H = h.shape[1]
    a = np.concatenate([h, x], axis=1) @ W.T + b
    gates = 0.5 * (1 + np.tanh(0.5 * a))  # never overflows
    gates[:, 2 * H : 3 * H] = np.tanh(a[:, 2 * H : 3 * H])
    f, i, g, o = np.split(gates, 4, axis=1)
    c_next = f * c + i * g
    return o * np.tanh(c_next), c_next, gates
