# truncated_bptt: "The last window is shorter where w does not divide T" - np.array_split makes windows of nearly equal length instead
# Differs: T = 4, window = 3: right windows of 3 and 1, here of 2 and 2.
import numpy as np


def truncated_bptt(dh, x, h0, h, U, V, *, window):
    T = h.shape[1]
    dU, dV, db = np.zeros_like(U), np.zeros_like(V), np.zeros_like(V[0])
    for steps in np.array_split(np.arange(T), -(-T // window)):
        s, e = steps[0], steps[-1] + 1
        first = h[:, s - 1] if s else h0
        _, _, u, v, b = rnn_backward(dh[:, s:e], x[:, s:e], first, h[:, s:e], U, V)
        dU, dV, db = dU + u, dV + v, db + b
    return dU, dV, db
