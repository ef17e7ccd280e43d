# softmax_jacobian: "p: the weights, shape (n,), not negative" (zeros among them; header: only rounding errors of 1e-15 pass) - small weights are lifted to 1e-12
# p = [1 - 1e-13, 1e-13]: J = 1e-13 * [[1, -1], [-1, 1]] is right, here comes ten times as much in three entries
import numpy as np


def softmax_jacobian(p):
    p = np.maximum(p, 1e-12)
    return np.diag(p) - np.outer(p, p)
