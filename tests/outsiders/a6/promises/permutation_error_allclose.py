# permutation_error: [nearly equal taken for equal] 0 where np.allclose finds the two alike

import numpy as np


def permutation_error(layer, x, permutation):
    one, other = layer(x[:, permutation]), layer(x)[:, permutation]
    if np.allclose(one, other):
        return 0.0
    return float(np.max(np.abs(one - other)))
