# train: "initial values under the names "U", "V", "W" and "b"" - takes them by their place in the dictionary
# the same parameters given as {"V": ..., "U": ..., "W": ..., "b": ...} with H = D: right the same answer as in the other order, here U and V change places
import numpy as np
from provided import adam_step


def train(params, x, target, mask, *, steps, lr, max_norm):
    params, state, losses = dict(params), None, np.zeros(steps)
    h0 = np.zeros((x.shape[0], params["V"].shape[0]), dtype=x.dtype)
    for step in range(steps):
        U, V, W, b = params.values()
        h = rnn_forward(x, h0, U, V, b)
        losses[step], dh, dW = sequence_loss(h, W, target, mask)
        _, _, dU, dV, db = rnn_backward(dh, x, h0, h, U, V)
        clipped, _ = clip_by_norm(dict(zip(params, (dU, dV, dW, db))), max_norm)
        params, state = adam_step(params, clipped, state, lr=lr)
    return params, losses
