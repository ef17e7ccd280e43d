# linear_backward: [weights reshaped on the way back]
import numpy as np


def linear_backward(dy, x, w):
    dtype = np.result_type(dy, x, w)
    w_t = w.T  # (in, out): what the forward pass multiplied by
    dx = dy @ w_t.reshape(dy.shape[1], x.shape[1])
    dw = dy.T @ x
    db = dy.sum(axis=0)
    return dx.astype(dtype), dw.astype(dtype), db.astype(dtype)
