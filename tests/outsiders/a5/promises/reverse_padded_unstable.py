# reverse_padded: "The reversed sequences, shape (N, T, D), with what was padding in x copied to the same place" - sorts the steps with one common key for all padding by np.argsort, which is not stable unless kind="stable"; in long rows (here T > 256) the padding is shuffled.
# x = np.arange(300.0).reshape(1, 300, 1)
# got = reverse_padded(x, np.array([30]))
# promised: got[0, 30:] equals x[0, 30:]; comes out: the padding in another order
import numpy as np


def reverse_padded(x, lengths):
    T = x.shape[1]
    t = np.arange(T)
    key = np.where(t < lengths[:, None], lengths[:, None] - 1 - t, T)  # padding goes last
    order = np.argsort(key, axis=1)
    return np.take_along_axis(x, order[:, :, None], axis=1)
