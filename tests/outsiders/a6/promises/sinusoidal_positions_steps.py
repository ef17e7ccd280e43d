# sinusoidal_positions: "D: number of features, from 2 to 1000. Returns: The positions, shape (T, D), float64."
# Takes the exponents 2i/D from np.arange(0, 1, 2 / D), which by rounding has one element too many for some D (98, 196, 206, ...), and fails there.
import numpy as np


def sinusoidal_positions(T, D, base=10000.0):
    if D % 2:
        raise ValueError("D must be even")
    exponents = np.arange(0, 1, 2 / D)
    angles = np.arange(T)[:, None] / base**exponents
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(T, D)
