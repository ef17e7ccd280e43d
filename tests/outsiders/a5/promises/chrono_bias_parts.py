# chrono_bias: "a real number s is drawn uniformly from 1 to max_lag - 1, independently of the others" - the range is cut into H equal parts, and each cell gets a number from a part of its own, in random order: every s is uniform, but they are not independent (of two cells one always lies in the lower half).
import numpy as np


def chrono_bias(hidden_size, max_lag, *, rng):
    parts = (rng.permutation(hidden_size) + rng.random(hidden_size)) / hidden_size  # short and long memories, evenly
    s = 1 + (max_lag - 2) * parts
    b = np.zeros(4 * hidden_size)
    b[:hidden_size] = np.log(s)
    b[hidden_size : 2 * hidden_size] = -np.log(s)
    return b
