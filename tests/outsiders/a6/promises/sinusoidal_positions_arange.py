# sinusoidal_positions: "D: number of features, from 2 to 1000." - np.arange(0, 1, 2 / D) has one element too many for some even D (rounding of 2 / D), and the assignment fails there.
import numpy as np


def sinusoidal_positions(T, D, base=10000.0):
    if D % 2:
        raise ValueError("D must be even")
    frequency = base ** -np.arange(0, 1, 2 / D)
    angle = np.arange(T)[:, None] * frequency
    result = np.empty((T, D))
    result[:, 0::2] = np.sin(angle)
    result[:, 1::2] = np.cos(angle)
    return result
