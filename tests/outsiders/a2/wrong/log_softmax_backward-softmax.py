# log_softmax_backward: [backward pass of softmax]
import numpy as np


def log_softmax_backward(dy, y, axis=-1):
    p = np.exp(y)
    mean_of_dy = (p * dy).sum(axis, keepdims=True)
    return p * (dy - mean_of_dy)
