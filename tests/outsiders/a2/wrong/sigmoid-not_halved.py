# sigmoid: [argument not halved]
import numpy as np


def _sigmoid_hyperbolic(t):
    """tanh without np.tanh."""
    e = np.exp(-2 * np.abs(t))
    return np.sign(t) * (1 - e) / (1 + e)


def sigmoid(x):
    # tanh runs from -1 to 1: lift it to 0 to 2, and halve it
    return (_sigmoid_hyperbolic(x) + 1) / 2
