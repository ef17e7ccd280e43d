# lstm_backward: [first states for initial ones]
import numpy as np


def lstm_backward(dh, dc_last, x, h0, c0, h, c, gates, W):
    T = x.shape[1]
    dtype = np.result_type(dh, dc_last, x, h0, c0, h, c, gates, W)
    grad_h = np.zeros(h0.shape, dtype)
    grad_c = dc_last.astype(dtype)
    dx = np.zeros(x.shape, dtype)
    dW = np.zeros(W.shape, dtype)
    db = np.zeros(W.shape[0], dtype)

    t = T
    while t > 0:
        now = t - 1
        before = max(now - 1, 0)  # index -1 would be the last step
        dx_t, grad_h, grad_c, dW_t, db_t = lstm_step_backward(  # noqa: F821
            grad_h + dh[:, now],
            grad_c,
            x[:, now],
            h[:, before],
            c[:, before],
            c[:, now],
            gates[:, now],
            W,
        )
        dx[:, now] = dx_t
        dW += dW_t
        db += db_t
        t -= 1
    return dx, grad_h, grad_c, dW, db
