# lstm_backward: "gates: f, i, g, o of all steps, shape (N, T, 4H)." - tanh(c) is won back as h / o, which is 0 / 0 where an output gate is closed (0 after the sigmoid)
# Differs: b of the output gate -1000, so o = 0 and h = 0: right dx is finite, here NaN.
import numpy as np


def lstm_backward(dh, dc_last, x, h0, c0, h, c, gates, W):
    T, H = h.shape[1:]
    f, i, g, o = np.split(gates, 4, axis=2)
    th = h / o  # h = o * tanh(c): no need for tanh again
    h_old = np.concatenate([h0[:, None], h[:, :-1]], axis=1)
    c_old = np.concatenate([c0[:, None], c[:, :-1]], axis=1)
    dx, dW, db = np.zeros_like(x), np.zeros_like(W), np.zeros_like(W[:, 0])
    dh_t, dc_t = np.zeros_like(h0), dc_last
    for t in range(T - 1, -1, -1):
        dh_t = dh_t + dh[:, t]
        dc_t = dc_t + dh_t * o[:, t] * (1 - th[:, t] ** 2)
        da = np.concatenate(
            [
                dc_t * c_old[:, t] * f[:, t] * (1 - f[:, t]),
                dc_t * g[:, t] * i[:, t] * (1 - i[:, t]),
                dc_t * i[:, t] * (1 - g[:, t] ** 2),
                dh_t * th[:, t] * o[:, t] * (1 - o[:, t]),
            ],
            axis=1,
        )
        dW += da.T @ np.concatenate([h_old[:, t], x[:, t]], axis=1)
        db += da.sum(axis=0)
        both = da @ W
        dx[:, t], dh_t, dc_t = both[:, H:], both[:, :H], dc_t * f[:, t]
    return dx, dh_t, dc_t, dW, db
