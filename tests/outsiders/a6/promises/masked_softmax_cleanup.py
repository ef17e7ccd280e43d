# masked_softmax: "An array is right if no entry is off by more than 1e-9 times the largest entry" (header) - weights below 1e-6 are set to 0
import numpy as np


def masked_softmax(scores, mask=None):
    kept = scores if mask is None else np.where(mask, scores, -np.inf)
    top = kept.max(axis=-1, keepdims=True)
    e = np.exp(kept - np.where(np.isfinite(top), top, 0))
    total = e.sum(axis=-1, keepdims=True)
    w = e / np.where(total == 0, 1, total)
    return np.where(w < 1e-6, 0, w)
