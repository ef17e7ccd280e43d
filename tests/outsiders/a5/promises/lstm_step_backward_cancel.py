# lstm_step_backward: "An array is right if no entry is off by more than ... (in float32 1e-4 times)" - i * g is taken as c_next - f * c, which loses all digits beside a large cell
# float32, f = 1, c = 50000.1, i = 1/2, g = 0.3, o = 1/2, dc_next = 1, dh_next = 0: db is (0, 0.075, 0.455, 0), here the second entry is off by a hundredth of it and more
import numpy as np


def lstm_step_backward(dh_next, dc_next, x, h, c, c_next, gates, W):
    H = h.shape[1]
    f, i, g, o = np.split(gates, 4, axis=1)
    shown = np.tanh(c_next)
    d = dc_next + dh_next * o * (1 - shown**2)
    kept = f * c
    written = c_next - kept
    da = np.concatenate(
        [d * kept * (1 - f), d * written * (1 - i), d * i * (1 - g**2), dh_next * shown * o * (1 - o)], axis=1
    )
    dhx = da @ W
    return dhx[:, H:], dhx[:, :H], d * f, da.T @ np.concatenate([h, x], axis=1), da.sum(axis=0)
