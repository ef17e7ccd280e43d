# rnn_backward: [one step short of the beginning]
import numpy as np


def _rnn_backward_whole_gradients(dh, h, V):
    """g_t and da_t of every time, last to first."""
    g = np.array(dh)
    da = np.empty_like(g)
    last = g.shape[1] - 1
    for t in range(last, -1, -1):
        if t < last:
            g[:, t] += da[:, t + 1] @ V
        da[:, t] = g[:, t] * (1 - h[:, t] ** 2)
    return g, da


def rnn_backward(dh, x, h0, h, U, V):
    g, da = _rnn_backward_whole_gradients(dh, h, V)
    before = np.concatenate((h0[:, None], h[:, :-1]), axis=1)
    dx = da @ U
    dU = np.einsum("nti,ntd->id", da, x)
    dV = np.einsum("nti,ntj->ij", da, before)
    db = da.sum(axis=(0, 1))
    dh0 = g[:, 0].copy()  # what has arrived at the start of time
    return dx, dh0, dU, dV, db
