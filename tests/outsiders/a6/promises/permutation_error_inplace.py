# permutation_error: header "Arrays ... must not be changed" - subtracts into the layer's output, which is x itself (or a view of it) if the layer hands on what it got
# layer = lambda x: x, permutation [1, 0]: x unchanged is right, here x becomes all zeros
import numpy as np


def permutation_error(layer, x, permutation):
    inverse = np.argsort(permutation)
    difference = layer(x)
    difference -= layer(x[:, permutation])[:, inverse]
    return float(np.abs(difference).max())
