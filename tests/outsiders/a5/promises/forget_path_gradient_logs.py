# forget_path_gradient: "Entries lie from 0 to 1, both included." - the product is computed as exp(sum(log f)), with f raised to 1e-12 at least so that log(0) does not come up; a path through one gate of 1e-13 is said to pass 1e-12.
import numpy as np


def forget_path_gradient(f, t, k):
    logs = np.log(np.maximum(f[t - k : t], 1e-12))  # a product of many small factors is safer as a sum of logarithms
    return np.exp(logs.sum(axis=0))
