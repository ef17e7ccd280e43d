# sigmoid: "down to x = -100 (in float32 -80) such small values must be right too, not only near 0" - left of -12 it takes exp(x) for the sigmoid, which is close but off by a share of exp(x)
# x = array([-13.0]): right 2.260324298e-06, here 2.260329407e-06 (off by 2.3e-6 of it, far more than 1e-9)
import numpy as np


def sigmoid(x):
    e = np.exp(-np.abs(x))
    y = np.where(x >= 0, 1 / (1 + e), e / (1 + e))
    return np.where(x < -12, np.exp(np.minimum(x, 0)), y)  # far left the 1 in the denominator does not count
