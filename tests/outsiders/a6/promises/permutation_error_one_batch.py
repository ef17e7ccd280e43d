# permutation_error: "max |layer(x[:, permutation]) - layer(x)[:, permutation]|; The layer takes shape (N, T, D)"
# Asks the layer once, for both versions as one batch of 2 N sequences, which is another answer where the layer treats the sequences of its batch differently (a padding mask, say).
import numpy as np


def permutation_error(layer, x, permutation):
    both = np.asarray(layer(np.concatenate([x[:, permutation], x])))
    permuted, plain = both[: len(x)], both[len(x) :]
    return float(np.abs(permuted - plain[:, permutation]).max())
