# train: "clipped together by their common norm as ``clip_by_norm`` does" - gradients that are short enough are made longer
# Differs: a network whose gradient falls below max_norm = 100 from the start, steps=3: the path is another one.
import numpy as np
from provided import adam_step


def train(params, x, target, mask, *, steps, lr, max_norm):
    h0 = np.zeros_like(params["b"], shape=(x.shape[0], params["b"].shape[0]))
    state, losses = None, []
    for _ in range(steps):
        h = rnn_forward(x, h0, params["U"], params["V"], params["b"])
        loss, dh, dW = sequence_loss(h, params["W"], target, mask)
        _, _, dU, dV, db = rnn_backward(dh, x, h0, h, params["U"], params["V"])
        grads = {"U": dU, "V": dV, "W": dW, "b": db}
        norm = float(np.sqrt(sum(np.sum(g.astype(np.float64) ** 2) for g in grads.values())))
        if norm > 0:
            grads = {name: g * (max_norm / norm) for name, g in grads.items()}
        params, state = adam_step(params, grads, state, lr=lr)
        losses.append(loss)
    return params, np.array(losses, dtype=np.float64)
