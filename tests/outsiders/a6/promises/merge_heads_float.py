# merge_heads: "none beyond 2**53" - integers go through float32
import numpy as np


def merge_heads(x):
    N, heads, T, d = x.shape
    out = np.zeros((N, T, heads * d), x.dtype if x.dtype.kind == "f" else np.float32)
    for h in range(heads):
        out[..., h * d : (h + 1) * d] = x[:, h]
    return out.astype(x.dtype)
