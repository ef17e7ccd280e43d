# scaled_dot_product_attention: "any shape that broadcasts" - a mask of three axes is taken for one per sequence
import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    if mask is not None and mask.ndim == 3 and q.ndim == 4:
        mask = mask[:, None]
    weights = masked_softmax(attention_scores(q, k, scale=scale), mask)
    return weights @ v, weights
