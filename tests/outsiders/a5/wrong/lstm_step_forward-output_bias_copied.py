# lstm_step_forward: [input gate's bias for the output gate]
import numpy as np


def _lstm_step_forward_squash(v):
    # stable in both directions, and keeps the dtype
    return 0.5 * (1 + np.tanh(0.5 * v))


def lstm_step_forward(x, h, c, W, b):
    H = h.shape[1]
    W_f, W_i, W_g, W_o = W[:H], W[H : 2 * H], W[2 * H : 3 * H], W[3 * H :]
    together = np.hstack([h, x])

    forget = _lstm_step_forward_squash(together @ W_f.T + b[:H])
    write = _lstm_step_forward_squash(together @ W_i.T + b[H : 2 * H])
    candidate = np.tanh(together @ W_g.T + b[2 * H : 3 * H])
    show = _lstm_step_forward_squash(together @ W_o.T + b[H : 2 * H])

    c_next = forget * c + write * candidate
    h_next = show * np.tanh(c_next)
    return h_next, c_next, np.hstack([forget, write, candidate, show])
