# attention_scores: "Any number is allowed, 0, negative and whole ones too." - a scale near 0 is taken for 0
import numpy as np


def attention_scores(q, k, *, scale=None):
    if scale is None:
        scale = q.shape[-1] ** -0.5
    if np.isclose(scale, 0):
        return np.zeros((*q.shape[:-1], k.shape[-2]), q.dtype)
    return float(scale) * np.einsum("...td,...sd->...ts", q, k)
