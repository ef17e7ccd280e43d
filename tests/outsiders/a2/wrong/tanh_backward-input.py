# tanh_backward: [input taken for the output]
import numpy as np


def tanh_backward(dy, x):
    slope = np.ones_like(x)
    slope -= x * x
    return dy * slope
