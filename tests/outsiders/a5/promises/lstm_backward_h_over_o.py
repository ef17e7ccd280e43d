# lstm_backward: "A gate or a state that is given to you has no such error: use it, and do not work it out from other numbers, which loses digits." - tanh(c_t) is taken as h_t / (o_t + 1e-12) instead of from the given c_t; where all output gates are nearly closed (1e-6) and the loss sees h alone, all gradients lose their digits behind the sixth.
import numpy as np


def lstm_backward(dh, dc_last, x, h0, c0, h, c, gates, W):
    N, T, H = h.shape
    f, i, g, o = (gates[:, :, k * H : (k + 1) * H] for k in range(4))
    tanh_c = h / (o + 1e-12)  # h = o * tanh(c), so no tanh has to be computed again
    h_before = np.concatenate([h0[:, None], h[:, :-1]], axis=1)
    c_before = np.concatenate([c0[:, None], c[:, :-1]], axis=1)
    dx = np.empty_like(x)
    dW = np.zeros_like(W)
    db = np.zeros(4 * H, dtype=W.dtype)
    dh_t = np.zeros_like(h0)
    dc_t = dc_last
    for t in reversed(range(T)):
        dh_t = dh_t + dh[:, t]
        dc_t = dc_t + dh_t * o[:, t] * (1 - tanh_c[:, t] ** 2)
        da = np.concatenate(
            [
                dc_t * c_before[:, t] * f[:, t] * (1 - f[:, t]),
                dc_t * g[:, t] * i[:, t] * (1 - i[:, t]),
                dc_t * i[:, t] * (1 - g[:, t] ** 2),
                dh_t * tanh_c[:, t] * o[:, t] * (1 - o[:, t]),
            ],
            axis=1,
        )
        dW += da.T @ np.concatenate([h_before[:, t], x[:, t]], axis=1)
        db += da.sum(axis=0)
        back = da @ W
        dh_t, dx[:, t] = back[:, :H], back[:, H:]
        dc_t = dc_t * f[:, t]
    return dx, dh_t, dc_t, dW, db
