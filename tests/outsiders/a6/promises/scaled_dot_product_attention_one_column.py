# scaled_dot_product_attention: "any shape that broadcasts to (..., T, S)" - leading axes of the mask are repeated, its last two are not
import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    scores = attention_scores(q, k, scale=scale)
    weights = np.zeros_like(scores)
    mask = np.ones(scores.shape[-1], bool) if mask is None else mask
    rows = np.broadcast_to(mask, (*scores.shape[:-1], mask.shape[-1]))
    for place in np.ndindex(scores.shape[:-1]):
        if (keep := rows[place]).any():
            weights[place][keep] = masked_softmax(scores[place][keep])
    return weights @ v, weights
