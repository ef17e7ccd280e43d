# softmax: [summed axis dropped]
import numpy as np


def softmax(x, axis=-1):
    highest = np.expand_dims(np.max(x, axis=axis), axis)
    weights = np.exp(x - highest)
    return weights / np.sum(weights, axis=axis)
