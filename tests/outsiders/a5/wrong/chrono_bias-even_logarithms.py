# chrono_bias: [logarithms spread evenly]
import numpy as np


def chrono_bias(hidden_size, max_lag, *, rng):
    b = np.zeros((4, hidden_size))
    b[0] = rng.uniform(0.0, np.log(max_lag - 1), size=hidden_size)
    b[1] = -b[0]
    return b.ravel()
