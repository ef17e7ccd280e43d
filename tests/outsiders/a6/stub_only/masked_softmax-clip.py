# masked_softmax: [scores clipped] scores are clipped to a range that exp survives instead of shifted by the row's maximum, so all large scores become alike
import numpy as np


def masked_softmax(scores, mask=None):
    limit = 80.0 if scores.dtype == np.float32 else 700.0
    e = np.exp(np.clip(scores, -limit, limit))
    if mask is not None:
        e = e * mask
    total = e.sum(axis=-1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0)
