# padding_mask: [queries hidden instead of keys]
import numpy as np


def padding_mask(lengths, S):
    mask = np.zeros((len(lengths), 1, S, 1), dtype=bool)
    for n, length in enumerate(lengths):
        mask[n, 0, :length, 0] = True
    return mask
