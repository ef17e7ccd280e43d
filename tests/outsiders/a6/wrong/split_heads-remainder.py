# split_heads: [features left over]
import numpy as np


def split_heads(x, num_heads):
    n, t, features = x.shape
    d = features // num_heads
    result = np.empty((n, num_heads, t, d), dtype=x.dtype)
    for h in range(num_heads):
        result[:, h] = x[:, :, h * d : (h + 1) * d]
    return result
