# masked_softmax: "any shape that broadcasts" - a mask of three axes is taken for one per sequence
import numpy as np


def masked_softmax(scores, mask=None):
    if mask is None:
        mask = np.ones(scores.shape, bool)
    elif mask.ndim == 3 and scores.ndim == 4:
        mask = mask[:, None]
    kept = np.where(mask, scores, -np.inf)
    top = kept.max(axis=-1, keepdims=True)
    e = np.exp(kept - np.where(np.isfinite(top), top, 0))
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, 1, total)
