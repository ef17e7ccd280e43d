# padding_mask: "integers of any size, with or without sign" - counts the filling as S - lengths, in the dtype of the lengths
# padding_mask(np.array([2, 100], dtype=np.int8), 200): a mask is right, here comes OverflowError (200 is no int8)
import numpy as np


def padding_mask(lengths, S):
    filling = S - lengths
    backwards = np.arange(S)[::-1]  # how many places follow
    return (backwards >= filling[:, None])[:, None, None, :]
