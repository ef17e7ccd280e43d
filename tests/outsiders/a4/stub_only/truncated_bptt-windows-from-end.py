# truncated_bptt: [windows laid from the end] the windows are counted back from the last step, so that the short window comes first and not last
import numpy as np


def truncated_bptt(dh, x, h0, h, U, V, *, window):
    """Walk from the end of the sequences to the front, in chunks of ``window`` steps."""
    dU, dV, db = np.zeros_like(U), np.zeros_like(V), np.zeros(V.shape[0], dtype=V.dtype)
    stop = x.shape[1]
    while stop > 0:
        start = max(stop - window, 0)
        first = h[:, start - 1] if start > 0 else h0
        _, _, gU, gV, gb = rnn_backward(dh[:, start:stop], x[:, start:stop], first, h[:, start:stop], U, V)
        dU, dV, db = dU + gU, dV + gV, db + gb
        stop = start
    return dU, dV, db
