# train: header "The floating arrays of one call have one dtype, float32 or float64, and so have the results" - the initial state is float64 and widens all parameters
# Differs: all arrays float32, steps=1: right float32 parameters, here float64.
import numpy as np
from provided import adam_step


def train(params, x, target, mask, *, steps, lr, max_norm):
    h0 = np.zeros((x.shape[0], params["V"].shape[0]))
    state, losses = None, []
    for _ in range(steps):
        h = rnn_forward(x, h0, params["U"], params["V"], params["b"])
        loss, dh, dW = sequence_loss(h, params["W"], target, mask)
        _, _, dU, dV, db = rnn_backward(dh, x, h0, h, params["U"], params["V"])
        grads, _ = clip_by_norm({"U": dU, "V": dV, "W": dW, "b": db}, max_norm)
        params, state = adam_step(params, grads, state, lr=lr)
        losses.append(loss)
    return params, np.array(losses, dtype=np.float64)
