# causal_mask: "nor on what has been written into their answers since" (header) - one big triangle is kept, and cut
import numpy as np

BIG = np.tri(64, dtype=bool)


def causal_mask(T, S=None):
    S = T if S is None else S
    if max(S, T) > 64:
        return np.tri(T, S, S - T, dtype=bool)
    if T <= S:
        return BIG[S - T : S, :S]
    return np.tri(T, S, S - T, dtype=bool)
