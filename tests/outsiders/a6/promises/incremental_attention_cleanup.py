# incremental_attention: "An array is right if no entry is off by more than 1e-9 times the largest entry" (header) - old tokens of little weight are left out of the mean
import numpy as np


def incremental_attention(q, k, v, cache=None):
    if cache is not None:
        k = np.concatenate([cache[0], k], axis=2)
        v = np.concatenate([cache[1], v], axis=2)
    _, w = scaled_dot_product_attention(q, k, v, causal_mask(q.shape[2], k.shape[2]))
    return np.where(w > 1e-6, w, w.dtype.type(0)) @ v, (k, v)
