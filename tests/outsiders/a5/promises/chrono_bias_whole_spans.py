# chrono_bias: "for each cell, a real number s is drawn uniformly from 1 to max_lag - 1, independently of the others" - whole numbers are drawn
# Differs: chrono_bias(100, 5, rng=...): exp(b[:100]) takes only the values 1, 2, 3, 4.
import numpy as np


def chrono_bias(hidden_size, max_lag, *, rng):
    s = rng.integers(1, max_lag, size=hidden_size)  # 1, ..., max_lag - 1
    b = np.zeros(4 * hidden_size)
    b[:hidden_size] = np.log(s)
    b[hidden_size : 2 * hidden_size] = -np.log(s)
    return b
