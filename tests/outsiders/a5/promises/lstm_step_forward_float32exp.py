# lstm_step_forward: "sigmoid ... and tanh are right and not NaN up to a = 1000" - clipped at 500, which float32 cannot take: exp(89) is inf there
# x = [[100]], W = 1 in the o row, float32: o is 1, here inf / inf = NaN
import numpy as np


def lstm_step_forward(x, h, c, W, b):
    H = h.shape[1]

    def sigmoid(a):
        e = np.exp(np.clip(a, -500, 500))
        return e / (1 + e)

    a = np.concatenate([h, x], axis=1) @ W.T + b
    f, i, o = sigmoid(a[:, :H]), sigmoid(a[:, H : 2 * H]), sigmoid(a[:, 3 * H :])
    g = np.tanh(a[:, 2 * H : 3 * H])
    c_next = f * c + i * g
    return o * np.tanh(c_next), c_next, np.concatenate([f, i, g, o], axis=1)
