# contraction_bound: "steepest slope of the activation anywhere * spectral norm of V" - power iteration from a vector of ones, which may have no share in the right direction
# Differs: V = [[4.0, -4.0], [1.0, 1.0]], "tanh": right sqrt(32), here sqrt(2).
import numpy as np


def contraction_bound(V, activation):
    slope = 0.25 if activation == "sigmoid" else 1.0
    v = np.ones(len(V), V.dtype) / float(np.sqrt(len(V)))
    for _ in range(2000):
        w = V.T @ (V @ v)
        size = float(np.linalg.norm(w))
        if size == 0:
            return 0.0
        v = w / size
    return slope * float(np.linalg.norm(V @ v))
