# scale_to_radius: "a small radius is not 0" - a radius below machine precision times the largest entry of V is taken for rounding errors of 0 and refused, though a triangular matrix has exactly this radius.
import numpy as np


def scale_to_radius(V, radius):
    rho = spectral_radius(V)
    if rho <= np.finfo(V.dtype).eps * np.abs(V).max():
        raise ValueError("V has the spectral radius 0.")
    return V * float(radius / rho)
