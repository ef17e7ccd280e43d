# sequence_loss: header "The floating arrays of one call have one dtype, float32 or float64, and so have the results" - without any target the zeros are float64
# Differs: h, W, target in float32 and mask all False: right dh float32, here float64.
import numpy as np


def sequence_loss(h, W, target, mask):
    if not mask.any():
        return 0.0, np.zeros(h.shape), np.zeros(W.shape)
    e = np.where(mask[..., None], h @ W.T - target, 0).astype(h.dtype)
    loss = float((e.astype(np.float64) ** 2).sum()) / len(h)
    dy = 2 * e / len(h)
    return loss, dy @ W, np.einsum("nto,nth->oh", dy, h)
