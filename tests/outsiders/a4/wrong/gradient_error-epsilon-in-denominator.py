# gradient_error: [next to nothing added below]
import numpy as np

_gradient_error_EPS = 1e-12  # so that nothing is divided by zero


def gradient_error(a, b):
    difference = np.max(np.abs(a - b))
    size = np.maximum(np.abs(a), np.abs(b)).max()
    return float(difference) / (float(size) + _gradient_error_EPS)
