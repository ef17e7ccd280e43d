# lstm_step_backward: "A gate or a state that is given to you has no such error: use it, and do not work it out from other numbers, which loses digits." - what was written, i * g, is taken as the difference c_next - f * c; a counter that holds 1e9 with its forget gate at 1 leaves 7 digits of it, and the input gate's gradient is off in the seventh.
import numpy as np


def lstm_step_backward(dh_next, dc_next, x, h, c, c_next, gates, W):
    H = h.shape[1]
    f, i, g, o = (gates[:, k * H : (k + 1) * H] for k in range(4))
    tanh_c = np.tanh(c_next)
    dc_total = dc_next + dh_next * o * (1 - tanh_c**2)
    kept = f * c
    written = c_next - kept  # i * g
    da = np.concatenate(
        [
            dc_total * kept * (1 - f),
            dc_total * written * (1 - i),
            dc_total * i * (1 - g**2),
            dh_next * o * tanh_c * (1 - o),
        ],
        axis=1,
    )
    dhx = da @ W
    dW = da.T @ np.concatenate([h, x], axis=1)
    return dhx[:, H:], dhx[:, :H], dc_total * f, dW, da.sum(axis=0)
