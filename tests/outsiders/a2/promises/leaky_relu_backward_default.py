# leaky_relu_backward: "negative_slope: slope left of 0, as in the forward pass" (there "at least 0") - a slope of 0 is taken for "not given" and becomes 0.01
# dy = array([5.0]), x = array([-1.0]), negative_slope=0.0: right 0, here 0.05
import numpy as np


def leaky_relu_backward(dy, x, negative_slope=0.01):
    slope = negative_slope or 0.01
    return np.where(x > 0, dy, slope * dy)
