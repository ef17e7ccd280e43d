# split_heads: "none beyond 2**53" - integers go through float32
import numpy as np


def split_heads(x, num_heads):
    N, T, D = x.shape
    d, rest = divmod(D, num_heads)
    if rest:
        raise ValueError("no")
    out = np.zeros((N, num_heads, T, d), x.dtype if x.dtype.kind == "f" else np.float32)
    for h in range(num_heads):
        out[:, h] = x[..., h * d : (h + 1) * d]
    return out.astype(x.dtype)
