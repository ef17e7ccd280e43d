# sign_agreement: [inputs compared instead of neurons]
import numpy as np


def sign_agreement(dy, x):
    dw = np.dot(x.T, dy)  # summed over the samples
    some_up = np.any(dw > 0, axis=1)
    some_down = np.any(dw < 0, axis=1)
    return np.logical_not(np.logical_and(some_up, some_down))
