# permutation_error: [shuffled back]
import numpy as np


def permutation_error(layer, x, permutation):
    before = np.asarray(layer(x[:, permutation]))
    after = np.take(layer(x), np.argsort(permutation), axis=1)
    return float(abs(before - after).max())
