# sinusoidal_positions: "D: number of features, from 2 to 1000" and "base: > 1" - the power 2i comes before the D-th root and overflows from i = 78 on (base 10000)
# sinusoidal_positions(3, 200)[2, 198]: sin(2 * 10000 ** (-198 / 200)) = 2.19e-4 is right, here comes 0
import numpy as np


def sinusoidal_positions(T, D, base=10000.0):
    if D % 2:
        raise ValueError("D is odd")
    with np.errstate(over="ignore"):
        speeds = (float(base) ** (2.0 * np.arange(D // 2))) ** (-1 / D)
    angles = np.arange(T)[:, None] * speeds
    result = np.empty((T, D))
    result[:, 0::2], result[:, 1::2] = np.sin(angles), np.cos(angles)
    return result
