# train: [memory from step to step]
import numpy as np
from provided import adam_step


def train(params, x, target, mask, *, steps, lr, max_norm):
    current = dict(params)
    memory, adam = np.zeros((len(x), len(current["b"])), dtype=x.dtype), None
    losses = []
    while len(losses) < steps:
        U, V, W, b = (current[name] for name in "UVWb")
        h = rnn_forward(x, memory, U, V, b)
        loss, dh, dW = sequence_loss(h, W, target, mask)
        dU, dV, db = rnn_backward(dh, x, memory, h, U, V)[2:]
        memory = h[:, -1]  # go on from here
        grads, _ = clip_by_norm(dict(U=dU, V=dV, W=dW, b=db), max_norm)
        current, adam = adam_step(current, grads, adam, lr=lr)
        losses.append(loss)
    return current, np.array(losses, dtype=x.dtype)
