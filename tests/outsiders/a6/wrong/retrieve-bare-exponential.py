# retrieve: [an exponential of its own]
import numpy as np


def retrieve(query, keys, values, *, temperature=1.0):
    if not temperature > 0:
        raise ValueError("the temperature has to be positive")
    loudness = np.exp(keys.dot(query) / float(temperature))
    weights = loudness / loudness.sum()
    return weights.dot(values), weights
