# lstm_backward: "dh[:, t - 1] is its gradient with respect to h_t where h_t is used by the loss itself" - stops at the first step (from the end) that has no gradient, as if all earlier ones had none either
# dc_last = 0 and dh that is not zero at the first step alone: gradients of step 1, here all zeros
import numpy as np


def lstm_backward(dh, dc_last, x, h0, c0, h, c, gates, W):
    dx, dW, db = np.zeros(x.shape, x.dtype), np.zeros(W.shape, W.dtype), np.zeros(W.shape[0], W.dtype)
    dh_t, dc_t = np.zeros_like(h0), dc_last
    for t in reversed(range(x.shape[1])):
        dh_t = dh_t + dh[:, t]
        if not dh_t.any() and not dc_t.any():
            break  # nothing comes back any more
        h_before, c_before = (h[:, t - 1], c[:, t - 1]) if t else (h0, c0)
        dx[:, t], dh_t, dc_t, dW_t, db_t = lstm_step_backward(
            dh_t, dc_t, x[:, t], h_before, c_before, c[:, t], gates[:, t], W
        )
        dW += dW_t
        db += db_t
    return dx, dh_t, dc_t, dW, db
