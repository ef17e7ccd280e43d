# permutation_error: "Arrays may come with any strides ... and must not be changed." (header) - the difference is taken in place in what the layer returned: for a layer that returns its input (the identity, or a view of it), that is x.
import numpy as np


def permutation_error(layer, x, permutation):
    error = layer(x)
    error -= layer(x[:, permutation])[:, np.argsort(permutation)]
    return float(np.abs(error).max())
