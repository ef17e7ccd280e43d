# spectral_radius: "Largest absolute value of an eigenvalue of V" - takes the largest and the smallest eigenvalue, which NumPy orders by their real parts
# Differs: V with the blocks [2], [-1] and [[0.5, -5], [5, 0.5]]: right 5.025, here 2.
import numpy as np


def spectral_radius(V):
    values = np.linalg.eigvals(V)
    return float(max(abs(values.max()), abs(values.min())))
