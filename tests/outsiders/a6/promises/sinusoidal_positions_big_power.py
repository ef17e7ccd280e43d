# sinusoidal_positions: "D: number of features, >= 2." - the D-th root is taken of base ** (2 * i), which is infinite for many features
# Differs: sinusoidal_positions(2, 128): from feature 78 on, row 1 has sines of exactly 0 (right for i = 39: sin(10000 ** -0.609375) = 0.00365).
import numpy as np


def sinusoidal_positions(T, D, base=10000.0):
    if D % 2:
        raise ValueError("D must be even")
    i = np.arange(D // 2)
    angle = np.arange(T)[:, None] / (float(base) ** (2 * i)) ** (1 / D)
    result = np.empty((T, D))
    result[:, 0::2], result[:, 1::2] = np.sin(angle), np.cos(angle)
    return result
