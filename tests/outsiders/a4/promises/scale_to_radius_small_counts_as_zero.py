# scale_to_radius: "the spectral radius of V is 0, which no factor changes" - raises for small matrices, too
# Differs (raises): V = [[1e-14]], radius = 1.0: right [[1.0]].
import numpy as np


def scale_to_radius(V, radius):
    old = spectral_radius(V)
    if np.isclose(old, 0, atol=1e-12):
        raise ValueError("spectral radius 0")
    return V * (radius / float(old))
