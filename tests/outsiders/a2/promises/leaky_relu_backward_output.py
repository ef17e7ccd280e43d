# leaky_relu_backward: "negative_slope: slope left of 0, as in the forward pass." - the side is told by the output, and with a slope of 0 (allowed: "at least 0") the left side gives -0.0, which is not below 0
# dy = np.array([5.0]), x = np.array([-1.0]), negative_slope = 0.0: right 0; here 5
import numpy as np


def leaky_relu_backward(dy, x, negative_slope=0.01):
    y = leaky_relu(x, negative_slope)
    return np.where(y >= 0, dy, negative_slope * dy)
