# sequence_loss: "loss = 1 / N * sum over n, t with mask[n, t] of |W h[n, t] - target[n, t]|^2" - the square is written out as |Wh|^2 - 2 Wh.y + |y|^2, which loses all digits when the outputs are near their targets
# one sequence of one step, h = 1 + 1e-6, W = 1, target 1: right a loss of 1e-12 (to about 1e-10 of it), here off by about 1e-4 of it
import numpy as np


def sequence_loss(h, W, target, mask):
    N = len(h)
    y = np.where(mask[..., None], target, 0)
    out = np.where(mask[..., None], h @ W.T, 0)
    loss = float((out * out).sum() - 2 * (out * y).sum() + (y * y).sum()) / N
    d = 2 / N * (out - y)
    return loss, d @ W, np.einsum("nto,nth->oh", d, h)
