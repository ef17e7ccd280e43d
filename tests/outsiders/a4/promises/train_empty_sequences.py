# train: "Every step takes the whole batch" - sequences without a target are left out, and the mean is over the others
# Differs: two sequences, one of them without a target: losses twice as large.
import numpy as np
from provided import adam_step


def train(params, x, target, mask, *, steps, lr, max_norm):
    useful = mask.any(axis=1)
    if useful.any():
        x, target, mask = x[useful], target[useful], mask[useful]
    params, state, losses = dict(params), None, []
    h0 = np.zeros((x.shape[0], params["V"].shape[0]), x.dtype)
    for _ in range(steps):
        h = rnn_forward(x, h0, params["U"], params["V"], params["b"])
        loss, dh, dW = sequence_loss(h, params["W"], target, mask)
        _, _, dU, dV, db = rnn_backward(dh, x, h0, h, params["U"], params["V"])
        grads, _ = clip_by_norm({"U": dU, "V": dV, "W": dW, "b": db}, max_norm)
        params, state = adam_step(params, grads, state, lr=lr)
        losses.append(loss)
    return params, np.array(losses)
