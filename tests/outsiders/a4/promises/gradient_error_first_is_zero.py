# gradient_error: "If all entries of both are 0, the error is 0." - 0 already where the first gradient is 0
# Differs: a = zeros(2), b = [1.0, 2.0]: right 1.0, here 0.0.
import numpy as np


def gradient_error(a, b):
    if not a.any():
        return 0.0
    return float(np.abs(a - b).max() / max(np.abs(a).max(), np.abs(b).max()))
