# forget_path_gradient: "Entries lie from 0 to 1, both included." - a ratio of two cumulative products: 0 / 0 once a gate has been closed before the path
# Differs: f = [[0], [0.5], [0.5]], t = 3, k = 2: right 0.25, here NaN.
import numpy as np


def forget_path_gradient(f, t, k):
    products = np.concatenate([np.ones_like(f[:1]), np.cumprod(f, axis=0)])  # products[t] = f_1 * ... * f_t
    return products[t] / products[t - k]
