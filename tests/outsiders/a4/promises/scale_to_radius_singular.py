# scale_to_radius: "ValueError: the spectral radius of V is 0" - takes every singular matrix for one of radius 0
# V = [[1, 1], [1, 1]], radius 1: right V / 2, here a ValueError
import numpy as np


def scale_to_radius(V, radius):
    if np.linalg.matrix_rank(V) < len(V):  # an eigenvalue is 0
        raise ValueError("the spectral radius is 0")
    return V * (radius / spectral_radius(V))
