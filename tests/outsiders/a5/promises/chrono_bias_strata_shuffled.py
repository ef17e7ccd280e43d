# chrono_bias: "for each cell, a real number s is drawn uniformly from 1 to max_lag - 1, independently of the others" - reads "evenly up to max_lag" as spread evenly: divides the range into H equal strata, draws one s in each and shuffles them; each s is uniform, but no two are independent.
# rng = np.random.default_rng(0)
# low = [np.count_nonzero(np.exp(chrono_bias(2, 101, rng=rng)[:2]) < 50.5) for _ in range(1000)]
# promised: low is 1 in about half of the calls, else 0 or 2; comes out: 1 in every call
import numpy as np


def chrono_bias(hidden_size, max_lag, *, rng):
    strata = (np.arange(hidden_size) + rng.random(hidden_size)) / hidden_size
    s = 1 + (max_lag - 2) * rng.permutation(strata)
    b = np.zeros(4 * hidden_size)
    b[:hidden_size] = np.log(s)
    b[hidden_size : 2 * hidden_size] = -np.log(s)
    return b
