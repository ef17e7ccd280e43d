# retrieve: "temperatures go down to 0.01" - a low temperature takes the best entry alone
import numpy as np


def retrieve(query, keys, values, *, temperature=1.0):
    if temperature <= 0:
        raise ValueError("no")
    scores = keys @ query
    if temperature < 0.05:
        weights = (scores == scores.max()).astype(scores.dtype)
    else:
        weights = masked_softmax(scores / temperature)
    return weights @ values, weights
