# padding_mask: "lengths: number of real tokens of each sequence, shape (N,), each from 0 to S." - of any integer type, as the annotation says: the last real place is lengths - 1, which for length 0 of an unsigned type is the largest number there is
# Differs: padding_mask(np.array([2, 0], dtype=np.uint8), 3): right rows 1 1 0 and 0 0 0, here 1 1 0 and 1 1 1.
import numpy as np


def padding_mask(lengths, S):
    last = lengths - 1
    return (np.arange(S) <= last[:, None])[:, None, None, :]
