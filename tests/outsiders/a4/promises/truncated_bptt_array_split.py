# truncated_bptt: "steps 1 to w, w + 1 to 2 w, and so on. ... The last window is shorter where w does not divide T" - the right number of windows, but all about equally long
# T = 4, window = 3: right are steps 1-3 and 4, here 1-2 and 3-4
import numpy as np


def truncated_bptt(dh, x, h0, h, U, V, *, window):
    T = x.shape[1]
    dU, dV, db, start = np.zeros_like(U), np.zeros_like(V), np.zeros_like(V[0]), h0
    count = -(-T // window)
    for steps in np.array_split(np.arange(T), count):
        cut = slice(steps[0], steps[-1] + 1)
        _, _, partU, partV, partb = rnn_backward(dh[:, cut], x[:, cut], start, h[:, cut], U, V)
        dU, dV, db = dU + partU, dV + partV, db + partb
        start = h[:, steps[-1]]
    return dU, dV, db
