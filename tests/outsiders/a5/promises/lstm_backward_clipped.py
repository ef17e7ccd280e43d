# lstm_backward: [gradients clipped on the way] what a step hands back is clipped to -100 ... 100, as in a training loop
import numpy as np


def lstm_backward(dh, dc_last, x, h0, c0, h, c, gates, W):
    N, T, D = x.shape
    dx = np.zeros_like(x)
    dW = np.zeros_like(W)
    db = np.zeros(W.shape[0], dtype=W.dtype)
    dh_back = np.zeros_like(h0)
    dc_back = dc_last
    for t in range(T - 1, -1, -1):
        h_before = h[:, t - 1] if t > 0 else h0
        c_before = c[:, t - 1] if t > 0 else c0
        dx[:, t], dh_back, dc_back, dW_t, db_t = lstm_step_backward(
            dh[:, t] + dh_back, dc_back, x[:, t], h_before, c_before, c[:, t], gates[:, t], W
        )
        dh_back, dc_back = np.clip(dh_back, -100, 100), np.clip(dc_back, -100, 100)  # gradients can explode
        dW += dW_t
        db += db_t
    return dx, dh_back, dc_back, dW, db
