# bidirectional_lstm: "lengths of the sequences, shape (N,), in any order" - sorts by length and undoes it by the same permutation instead of its inverse
# lengths (2, 4, 3) or any others whose sorting from the longest to the shortest is a cycle of three: the rows come back at the wrong places (with two rows never)
import numpy as np


def bidirectional_lstm(x, lengths, layers):
    N, T, _ = x.shape
    if lengths.min() < 1 or lengths.max() > T:
        raise ValueError("lengths from 1 to T")
    order = np.argsort(-lengths, kind="stable")
    y, sorted_lengths = x[order], lengths[order]
    inside = (np.arange(T) < sorted_lengths[:, None])[:, :, None]
    y = np.where(inside, y, np.zeros_like(y))
    for (Wf, bf), (Wb, bb) in layers:
        zero = np.zeros((N, bf.shape[0] // 4), x.dtype)
        forward = lstm_forward(y, zero, zero, Wf, bf)[0]
        backward = reverse_padded(lstm_forward(reverse_padded(y, sorted_lengths), zero, zero, Wb, bb)[0], sorted_lengths)
        y = np.concatenate([forward, backward], axis=2)
        y = np.where(inside, y, np.zeros_like(y))
    return y[order]
