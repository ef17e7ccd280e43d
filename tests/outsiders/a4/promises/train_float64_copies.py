# train: header's "The floating arrays of one call have one dtype, float32 or float64, and so have the results" (only the losses are "float64 for parameters of either dtype") - the parameters are copied into float64 and stay so
# everything in float32: right parameters in float32 and losses in float64, here parameters in float64
import numpy as np
from provided import adam_step


def train(params, x, target, mask, *, steps, lr, max_norm):
    params = {name: np.array(value, dtype=float) for name, value in params.items()}
    state, losses = None, []
    h0 = np.zeros((x.shape[0], params["V"].shape[0]))
    for _ in range(steps):
        h = rnn_forward(x.astype(float), h0, params["U"], params["V"], params["b"])
        loss, dh, dW = sequence_loss(h, params["W"], target.astype(float), mask)
        _, _, dU, dV, db = rnn_backward(dh, x.astype(float), h0, h, params["U"], params["V"])
        clipped, _ = clip_by_norm({"U": dU, "V": dV, "W": dW, "b": db}, max_norm)
        params, state = adam_step(params, clipped, state, lr=lr)
        losses.append(loss)
    return params, np.array(losses)
