# jacobian_norms: "in the spectral norm, the largest singular value of the matrix" - as the root of an eigenvalue of J^T J, whose entries overflow
# Differs: h = zeros((41, 1)), V = [[1e5]], max_lag = 40: right 1e200 at the end, here inf (or it raises).
import numpy as np


def jacobian_norms(h, V, max_lag):
    T, norms = len(h) - 1, []
    for k in range(max_lag + 1):
        J = state_jacobian(h, V, T, k)
        norms.append(np.sqrt(np.abs(np.linalg.eigvals(J.T @ J)).max()))
    return np.array(norms, dtype=V.dtype)
