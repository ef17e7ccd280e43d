# forget_path_gradient: "f_{t-k+1} * f_{t-k+2} * ... * f_t    (k factors, entry by entry)" for "Entries lie from 0 to 1, both included." - multiplies by adding logarithms and keeps log(0) away by a floor of 1e-12, so that a gate that is nearly closed (below 1e-12) counts as 1e-12.
# forget_path_gradient(np.array([[1e-13], [1.0]]), 2, 2)
# promised: 1e-13 (a gate with a sum of -30); comes out: 1e-12
import numpy as np


def forget_path_gradient(f, t, k):
    return np.exp(np.log(np.maximum(f[t - k : t], 1e-12)).sum(axis=0))
