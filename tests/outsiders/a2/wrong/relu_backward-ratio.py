# relu_backward: [output over input]
import numpy as np


def relu_backward(dy, x):
    """relu multiplies x by 1 or by 0; that factor is y / x."""
    y = np.where(x > 0, x, 0)
    return (dy * (y / x)).astype(np.result_type(dy, x))
