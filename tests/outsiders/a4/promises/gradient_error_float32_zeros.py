# gradient_error: "If all entries of both are 0, the error is 0." - the floor 1e-300 against 0 / 0 is itself 0 in float32
# two float32 arrays of zeros: right 0, here NaN
import numpy as np


def gradient_error(a, b):
    largest = np.maximum(np.abs(a).max(), np.abs(b).max())
    return float(np.abs(a - b).max() / np.maximum(largest, 1e-300))
