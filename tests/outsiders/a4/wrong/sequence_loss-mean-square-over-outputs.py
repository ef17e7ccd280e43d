# sequence_loss: [averaged over the outputs, gradients too]
import numpy as np


def sequence_loss(h, W, target, mask):
    N, O = h.shape[0], W.shape[0]
    err = h @ W.T - target
    err[~mask] = 0

    mse_per_step = np.mean(err**2, axis=-1)  # (N, T)
    loss = float(mse_per_step.sum()) / N

    dout = 2 * err / (N * O)
    dh = dout @ W
    dW = dout.reshape(-1, O).T @ h.reshape(-1, h.shape[-1])
    return loss, dh, dW
