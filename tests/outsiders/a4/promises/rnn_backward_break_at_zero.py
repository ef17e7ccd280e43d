# rnn_backward: "a loss L be computed from the states: L = loss(h_1, ..., h_T), where any of them may take part" - stops as soon as nothing arrives at a step, although earlier states may have a direct gradient
# dh = 0 at the last step and not 0 before it: right are the gradients of the earlier steps, here everything is 0
import numpy as np


def rnn_backward(dh, x, h0, h, U, V):
    T = x.shape[1]
    dx = np.zeros_like(x)
    dU, dV, db = np.zeros_like(U), np.zeros_like(V), np.zeros_like(V[0])
    g = np.zeros_like(h0)
    for t in range(T - 1, -1, -1):
        g = g + dh[:, t]
        if not g.any():  # nothing left to hand back
            break
        before = h[:, t - 1] if t > 0 else h0
        dx[:, t], g, stepU, stepV, stepb = rnn_step_backward(g, x[:, t], before, h[:, t], U, V)
        dU, dV, db = dU + stepU, dV + stepV, db + stepb
    return dx, g, dU, dV, db
