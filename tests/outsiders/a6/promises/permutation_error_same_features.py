# permutation_error: "over all tokens and features" - the layer is taken to return as many features as it gets
# Differs: layer = lambda x: np.concatenate([x, x], axis=2), x of shape (1, 3, 2): right 0, here ValueError.
import numpy as np


def permutation_error(layer, x, permutation):
    expected = np.empty_like(x)
    expected[:] = layer(x)[:, permutation]
    return float(np.abs(layer(x[:, permutation]) - expected).max())
