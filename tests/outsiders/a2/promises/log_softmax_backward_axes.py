# log_softmax_backward: "dy: gradient of the log-probabilities, any shape with at least one axis." - the axis is swapped with the last one and moved back, which is the same thing only for the last two axes
# dy = np.ones((2, 3, 4)), y = np.full((2, 3, 4), np.log(0.5)), axis = 0: right shape (2, 3, 4); here (2, 4, 3)
import numpy as np


def log_softmax_backward(dy, y, axis=-1):
    dy, y = np.swapaxes(dy, axis, -1), np.swapaxes(y, axis, -1)
    dx = dy - np.exp(y) * dy.sum(axis=-1, keepdims=True)
    return np.moveaxis(dx, -1, axis)
