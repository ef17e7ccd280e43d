# causal_mask: [the future seen]
import numpy as np


def causal_mask(T, S=None):
    if S is None:
        S = T
    # the last query stands at the corner at the bottom right; everything above the diagonal through it
    return np.triu(np.ones((T, S), dtype=bool), k=S - T + 1)
