# sigmoid_backward: [slope overflows]
import numpy as np


def sigmoid_backward(dy, x):
    falling = np.exp(-x)
    slope = falling / np.square(1 + falling)
    return slope * dy
