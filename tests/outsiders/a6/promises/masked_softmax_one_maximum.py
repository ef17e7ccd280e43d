# masked_softmax: "The weights stay finite and right all the same: adding a constant to a row does not change its weights." - the largest score of the whole array is subtracted, not that of each row
# Differs: scores = [[1e4, 1e4], [0, 0]]: right [0.5, 0.5] in both rows, here zeros (0 / 0) in the second.
import numpy as np


def masked_softmax(scores, mask=None):
    keep = np.broadcast_to(True if mask is None else mask, scores.shape)
    if not keep.any():
        return np.zeros_like(scores)
    kept = np.where(keep, scores, -np.inf)
    powers = np.exp(kept - kept.max())
    total = powers.sum(axis=-1, keepdims=True)
    return np.divide(powers, total, out=np.zeros_like(powers), where=total > 0)
