# attention_scores: "q: queries, shape (..., T, d), any number of leading axes (also none)." - only none and two leading axes are thought of; with one, k.T turns all three axes around
# Differs: q of shape (2, 3, 4), k of shape (2, 5, 4): right shape (2, 3, 5), here ValueError (and wrong numbers where the sizes happen to fit).
import numpy as np


def attention_scores(q, k, *, scale=None):
    if scale is None:
        scale = 1 / q.shape[-1] ** 0.5
    if q.ndim == 4:
        return np.einsum("nhid,nhjd->nhij", q, k) * scale
    return q @ k.T * scale
