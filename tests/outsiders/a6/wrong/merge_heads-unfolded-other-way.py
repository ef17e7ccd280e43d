# merge_heads: [sequences and heads exchanged]
import numpy as np


def merge_heads(x):
    n, heads, t, d = x.shape
    folded = x.reshape(n * heads, t, d)
    # one block for each head again, put side by side
    return np.concatenate([folded[h * n : (h + 1) * n] for h in range(heads)], axis=-1)
