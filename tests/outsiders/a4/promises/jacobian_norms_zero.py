# jacobian_norms: "norms[k] = | d h_T / d h_{T-k} | ... in the spectral norm, the largest singular value of the matrix" - divides each Jacobian by its largest entry, against overflow of the squares, and forgets that a Jacobian may be all zeros (saturated states, or a nilpotent V such as the memory of §1): 0/0 is NaN there, and eigvalsh of NaN raises.
# the memory of §1 forgets after three steps: promised [1, 1.155.., 1.334.., 0, 0]; the wrong one raises LinAlgError
# V = np.log(2) / 0.6 * np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
# try: print(jacobian_norms(np.zeros((5, 3)), V, 4))
# except Exception as error: print(repr(error))
import numpy as np


def jacobian_norms(h, V, max_lag):
    T = len(h) - 1
    norms = np.empty(max_lag + 1, dtype=V.dtype)
    for k in range(max_lag + 1):
        J = state_jacobian(h, V, T, k).astype(np.float64)
        size = np.abs(J).max()
        J = J / size
        norms[k] = size * np.sqrt(np.linalg.eigvalsh(J @ J.T)[-1])
    return norms
