# scale_to_radius: "ValueError: V is all zeros, or has zeros on and below its diagonal" - judged by a sum, in which entries cancel
# Differs (raises): V = [[1, 5], [0, -1]], radius = 0.5.
import numpy as np


def scale_to_radius(V, radius):
    if np.tril(V).sum() == 0:
        raise ValueError("no factor changes a spectral radius of 0")
    return V * (radius / float(spectral_radius(V)))
