# incremental_attention: "The floating arrays of one call have one dtype, float32 or float64, and so have the results" (header) - without a cache it begins with empty arrays in float64, and so float32 comes out as float64 from the first call on.
import numpy as np


def incremental_attention(q, k, v, cache=None):
    if cache is None:
        cache = np.zeros((*k.shape[:2], 0, k.shape[3])), np.zeros((*v.shape[:2], 0, v.shape[3]))
    keys = np.concatenate([cache[0], k], axis=2)
    values = np.concatenate([cache[1], v], axis=2)
    out, _ = scaled_dot_product_attention(q, keys, values, causal_mask(q.shape[2], keys.shape[2]))
    return out, (keys, values)
