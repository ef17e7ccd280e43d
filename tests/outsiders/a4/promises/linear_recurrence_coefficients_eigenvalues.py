# linear_recurrence_coefficients: "with matrices C_s that depend on U and V alone. Find them." - powers of V from its eigenvectors, which do not suffice where V cannot be diagonalized
# Differs: U = [[0.0], [1.0]], V = [[0.0, 1.0], [0.0, 0.0]], t = 2: right C_1 = [[1], [0]], here something else (or it raises).
import numpy as np


def linear_recurrence_coefficients(U, V, t):
    values, vectors = np.linalg.eig(V)
    inside = np.linalg.solve(vectors, U.astype(vectors.dtype))
    C = [(vectors * values**k) @ inside for k in reversed(range(t))]
    return np.stack(C).real.astype(U.dtype)
