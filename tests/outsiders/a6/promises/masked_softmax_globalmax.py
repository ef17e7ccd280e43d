# masked_softmax: "adding a constant to a row does not change its weights" - one constant for the whole array: the largest kept score anywhere, not that of the row
# masked_softmax([[1e4, 0.0], [-1e4, -1e4]]): second row [0.5, 0.5] is right, here comes [0, 0]
import numpy as np


def masked_softmax(scores, mask=None):
    kept = np.ones(scores.shape, dtype=bool) if mask is None else np.broadcast_to(mask, scores.shape)
    shifted = np.where(kept, scores, -np.inf)
    if kept.any():
        shifted = shifted - shifted.max()
    powers = np.exp(shifted)
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, np.ones_like(total), total)
