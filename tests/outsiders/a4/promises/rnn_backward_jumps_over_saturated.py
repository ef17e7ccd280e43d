# rnn_backward: "the whole derivatives, along every path from an argument to L" - a step whose states are all saturated (1 - h^2 = 0) is skipped, but what it hands back should become 0, and stays what the later step handed to it: it jumps over the saturated step.
import numpy as np


def rnn_backward(dh, x, h0, h, U, V):
    dx = np.zeros_like(x)
    dU, dV, db = np.zeros_like(U), np.zeros_like(V), np.zeros_like(V[0])
    handed_back = np.zeros_like(h0)
    for t in reversed(range(x.shape[1])):
        da = (dh[:, t] + handed_back) * (1 - h[:, t] ** 2)
        if not da.any():  # nothing passes tanh here: no share of this step
            continue
        before = h[:, t - 1] if t > 0 else h0
        dx[:, t] = da @ U
        dU += da.T @ x[:, t]
        dV += da.T @ before
        db += da.sum(axis=0)
        handed_back = da @ V
    return dx, handed_back, dU, dV, db
