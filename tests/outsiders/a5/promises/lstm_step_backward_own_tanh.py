# lstm_step_backward: "c_next: cell state after the step, shape (N, H)." - tanh is written with exponentials, so a cell that has counted far (or 90 in float32) gives inf / inf = NaN
# Differs: c_next = 1000 (a counter may grow): right gradients are finite, here NaN.
import numpy as np


def lstm_step_backward(dh_next, dc_next, x, h, c, c_next, gates, W):
    H = h.shape[1]
    f, i, g, o = np.split(gates, 4, axis=1)
    up, down = np.exp(c_next), np.exp(-c_next)
    th = (up - down) / (up + down)
    dc_all = dc_next + dh_next * o * (1 - th**2)
    da = np.concatenate(
        [dc_all * c * f * (1 - f), dc_all * g * i * (1 - i), dc_all * i * (1 - g**2), dh_next * th * o * (1 - o)],
        axis=1,
    )
    dhx = da @ W
    return dhx[:, H:], dhx[:, :H], dc_all * f, da.T @ np.concatenate([h, x], axis=1), da.sum(axis=0)
