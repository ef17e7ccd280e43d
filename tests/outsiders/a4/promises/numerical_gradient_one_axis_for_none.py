# numerical_gradient: "f takes an array of the shape of x" - np.ascontiguousarray makes shape (1,) of an x without axes; where f stacks values of it, f(x) has shape (2, 1), is broadcast against dy, and the quotient is wrong without a word.
import numpy as np


def numerical_gradient(f, x, dy, *, h=1e-5):
    point = np.ascontiguousarray(x, dtype=np.float64).copy()
    flat = point.reshape(-1)  # a view: point is contiguous
    out = np.empty(x.size)
    for i in range(x.size):
        kept = flat[i]
        flat[i] = kept + h
        above = np.sum(dy * f(point), dtype=np.float64)
        flat[i] = kept - h
        below = np.sum(dy * f(point), dtype=np.float64)
        flat[i] = kept
        out[i] = (above - below) / (2 * h)
    return out.reshape(x.shape).astype(x.dtype)
