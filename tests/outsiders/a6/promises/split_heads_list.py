# split_heads: "keeps the dtype" - a new array of a list has int64, whatever the integers were
import numpy as np


def split_heads(x, num_heads):
    N, T, D = x.shape
    if D % num_heads:
        raise ValueError("no")
    d = D // num_heads
    dtype = x.dtype if x.dtype.kind == "f" else None
    return np.array(
        [[[[x[n, t, h * d + i].item() for i in range(d)] for t in range(T)] for h in range(num_heads)] for n in range(N)],
        dtype=dtype,
    )
