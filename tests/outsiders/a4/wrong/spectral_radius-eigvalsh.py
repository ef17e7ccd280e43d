# spectral_radius: [taken for symmetric]
import numpy as np


def spectral_radius(V):
    values = np.linalg.eigvalsh(V)  # real numbers, in ascending order
    return float(max(-values[0], values[-1]))
