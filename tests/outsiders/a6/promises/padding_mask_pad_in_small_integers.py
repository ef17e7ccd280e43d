# padding_mask: "lengths: ... each from 0 to S, integers of any size, with or without sign." - S - length is computed in the narrow dtype of the lengths: uint8 lengths with S = 300 (int8 with S = 200) raise OverflowError.
import numpy as np


def padding_mask(lengths, S):
    rows = [np.pad(np.ones(length, dtype=bool), (0, S - length)) for length in lengths]
    return np.array(rows)[:, None, None, :]
