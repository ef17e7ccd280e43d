# gru_forward: "Arrays may come with any strides ... and must not be changed" - works in place on a "contiguous copy" of h0, which is no copy where N = 1 or H = 1 (such an array is contiguous in both orders)
# N = 1: h0 as it was, here h0 holds the last state after the call
import numpy as np


def gru_forward(x, h0, weight_ih, weight_hh, bias_ih, bias_hh):
    N, T, _ = x.shape
    h = np.ascontiguousarray(h0.T)  # units first
    out = np.empty((N, T, len(h)), x.dtype)
    for t in range(T):
        h[:] = gru_step_forward(x[:, t], h.T, weight_ih, weight_hh, bias_ih, bias_hh).T
        out[:, t] = h.T
    return out
