# spectral_radius: "Largest absolute value of an eigenvalue of V" (V: square matrix, shape (H, H))" - divides V by its largest entry first, to be safe with entries of 1e-20 and 1e20, and forgets the matrix of zeros, whose radius is 0: 0/0, and eigvals raises. (LinAlgError is a ValueError, so scale_to_radius looks right.)
# promised 0.0; the wrong one raises LinAlgError
# try: print(spectral_radius(np.zeros((3, 3))))
# except Exception as error: print(repr(error))
import numpy as np


def spectral_radius(V):
    size = float(np.abs(V).max())
    with np.errstate(invalid="ignore"):
        return size * float(np.abs(np.linalg.eigvals(V.astype(np.float64) / size)).max())
