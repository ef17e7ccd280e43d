# spectral_radius: "Its entries may be small or large, down to 1e-20 or up to 1e20." - the absolute value from squares, which leave the range of float32
# float32 V = 1e20 * [[0, -1], [1, 0]]: right 1e20, here inf
import numpy as np


def spectral_radius(V):
    values = np.linalg.eigvals(V)
    return float(np.sqrt(values.real**2 + values.imag**2).max())
