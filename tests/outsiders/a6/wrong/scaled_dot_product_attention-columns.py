# scaled_dot_product_attention: [competition among queries]
import math

import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    if scale is None:
        scale = 1.0 / math.sqrt(q.shape[-1])
    logits = np.einsum("...td,...sd->...ts", q, k) * float(scale)
    allowed = np.broadcast_to(True if mask is None else mask, logits.shape)
    lowest = np.finfo(logits.dtype).min
    top = np.max(logits, axis=-2, keepdims=True, where=allowed, initial=lowest)
    shifted = np.where(allowed, logits - np.where(top == lowest, 0, top), 0)
    weights = np.exp(shifted) * allowed
    total = weights.sum(axis=-2, keepdims=True)
    weights = np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
    return weights @ v, weights
