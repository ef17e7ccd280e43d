# rnn_step_backward: [input past the nonlinearity]
import numpy as np


def rnn_step_backward(dh_next, x, h, h_next, U, V):
    slope = 1 - np.square(h_next)
    da = dh_next * slope

    # the input is only multiplied by U, so U takes the gradient back to it
    dx = np.einsum("ni,id->nd", dh_next, U)
    # everything else meets the tanh
    dh = np.einsum("ni,ij->nj", da, V)
    dU = np.einsum("ni,nd->id", da, x)
    dV = np.einsum("ni,nj->ij", da, h)
    db = np.einsum("ni->i", da)
    return dx, dh, dU, dV, db
