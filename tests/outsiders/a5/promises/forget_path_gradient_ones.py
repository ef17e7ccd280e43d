# forget_path_gradient: "The floating arrays of one call have one dtype, float32 or float64, and so have the results, unless a docstring says otherwise." - the case k = 0 returns float64 ones for float32 gates
# Differs: f float32 of shape (4, 2), t = 3, k = 0: dtype float64 instead of float32.
import numpy as np


def forget_path_gradient(f, t, k):
    if k == 0:
        return np.ones(f.shape[1])
    return np.prod(f[t - k : t], axis=0)
