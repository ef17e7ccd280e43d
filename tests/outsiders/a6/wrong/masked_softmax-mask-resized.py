# masked_softmax: [mask repeated in memory order]
import numpy as np


def masked_softmax(scores, mask=None):
    keep = np.ones_like(scores, dtype=bool)
    if mask is not None:
        # one mask serves many rows: repeat it until there is enough for all of them
        keep = np.resize(np.asarray(mask, dtype=bool), scores.shape)
    visible = np.where(keep, scores, -np.inf)
    peak = visible.max(axis=-1, keepdims=True)
    peak[np.isneginf(peak)] = 0.0
    numer = np.exp(visible - peak)
    denom = numer.sum(axis=-1, keepdims=True)
    denom[denom == 0.0] = 1.0
    return numer / denom
