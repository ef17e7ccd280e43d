# causal_mask: "An answer depends on the arguments of its own call alone, and not on those of earlier calls, nor on what has been written into their answers since" (header) - functools.cache hands out the same writable array
from functools import cache

import numpy as np


@cache
def causal_mask(T, S=None):
    if S is None:
        S = T
    return np.arange(S) <= np.arange(T)[:, None] + S - T
