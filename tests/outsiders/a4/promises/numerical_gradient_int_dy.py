# numerical_gradient: "dy: ... an array of the shape of f(x); or one Python number, which counts for every entry" - takes only a float for the one number; a Python int such as dy=1 is treated as an array, and the sum of products fails where f returns an array of more than one entry.
# promised [2, 4]; the wrong one raises
# try: print(numerical_gradient(lambda a: a**2, np.array([1.0, 2.0]), 1))
# except Exception as error: print(repr(error))
import numpy as np


def numerical_gradient(f, x, dy, *, h=1e-5):
    x64 = x.astype(np.float64)
    weights = None if isinstance(dy, float) else np.ravel(dy).astype(np.float64)

    def loss(a):
        y = np.ravel(f(a))
        return dy * y.sum() if weights is None else weights @ y

    dx = np.empty(x.shape)
    for i in np.ndindex(x.shape):
        up, down = x64.copy(), x64.copy()
        up[i] += h
        down[i] -= h
        dx[i] = (loss(up) - loss(down)) / (2 * h)
    return dx.astype(x.dtype)
