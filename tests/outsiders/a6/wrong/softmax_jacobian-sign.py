# softmax_jacobian: [sign turned round]
import numpy as np


def softmax_jacobian(p):
    n = len(p)
    J = np.empty((n, n), dtype=p.dtype)
    for i in range(n):
        for j in range(n):
            J[i, j] = p[i] * (p[j] - 1) if i == j else p[i] * p[j]
    return J
