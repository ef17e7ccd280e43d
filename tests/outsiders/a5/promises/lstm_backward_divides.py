# lstm_backward: "dh[:, t - 1] is its gradient with respect to h_t where h_t is used by the loss itself; what comes back to h_t and c_t from step t + 1 is for you to add." / "Returns: (dx, dh0, dc0, dW, db)" (within 1e-9 of the largest entry) - gets tanh(c) back as h / (o + 1e-12), as h is given; where output gates are nearly closed (o = 1e-8, say) the 1e-12 is no longer small, and every gradient that comes through them is wrong by it.
# one = np.ones((1, 1)); W = np.full((4, 2), 0.5); b = np.array([0.0, 0.0, 0.0, -18.0])
# x, f, i, g, o = one, *(1 / (1 + np.exp(-1.0)),) * 2, np.tanh(1.0), 1 / (1 + np.exp(17.0))   # a = h/2 + x/2 + b
# c = f + i * g; gates = np.array([[[f, i, g, o]]])
# lstm_backward(one[:, None], 0 * one, x[:, None], one, one, np.full((1, 1, 1), o * np.tanh(c)), np.full((1, 1, 1), c), gates, W)[2]
# promised: dc0 = o * (1 - tanh(c) ** 2) * f within 1e-9 of it; comes out: off by 1.4e-4 (relative)
import numpy as np


def lstm_backward(dh, dc_last, x, h0, c0, h, c, gates, W):
    T, H = x.shape[1], h0.shape[1]
    f, i, g, o = (gates[..., k * H : (k + 1) * H] for k in range(4))
    tanh_c = h / (o + 1e-12)
    h_before = np.concatenate([h0[:, None], h[:, :-1]], axis=1)
    c_before = np.concatenate([c0[:, None], c[:, :-1]], axis=1)
    dx, dW, db = np.zeros_like(x), np.zeros_like(W), np.zeros_like(W[:, 0])
    dh_next, dc_next = np.zeros_like(h0), dc_last
    for t in reversed(range(T)):
        d = dh[:, t] + dh_next
        dc = dc_next + d * o[:, t] * (1 - tanh_c[:, t] ** 2)
        da = np.concatenate(
            [
                dc * c_before[:, t] * f[:, t] * (1 - f[:, t]),
                dc * g[:, t] * i[:, t] * (1 - i[:, t]),
                dc * i[:, t] * (1 - g[:, t] ** 2),
                d * tanh_c[:, t] * o[:, t] * (1 - o[:, t]),
            ],
            axis=1,
        )
        dhx = da @ W
        dh_next, dx[:, t], dc_next = dhx[:, :H], dhx[:, H:], dc * f[:, t]
        dW += da.T @ np.concatenate([h_before[:, t], x[:, t]], axis=1)
        db += da.sum(axis=0)
    return dx, dh_next, dc_next, dW, db
