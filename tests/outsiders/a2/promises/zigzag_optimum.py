# zigzag_descent: "The ratio is infinity if the last point is the first one, as it is when there are no steps." - only no steps are looked at, and NumPy's division does the rest: a path that never moves gives 0 / 0
# x = np.eye(2), y = np.array([1.0, 2.0]), w0 = y, lr = 0.5, steps = 3: right ratio infinity; here NaN
import math

import numpy as np


def zigzag_descent(x, y, w0, *, lr, steps):
    path = [w0]
    for _ in range(steps):
        w = path[-1]
        path.append(w - lr * (x.T @ (x @ w - y)) / len(y))
    path = np.array(path)
    if steps == 0:
        return path, math.inf
    with np.errstate(all="ignore"):
        length = np.linalg.norm(np.diff(path, axis=0), axis=1).sum()
        return path, length / np.linalg.norm(path[-1] - path[0])
