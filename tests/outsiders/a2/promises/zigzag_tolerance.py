# zigzag_descent: "The ratio is infinity if the last point is the first one" - also if it is less than 1e-10 away
# x = np.eye(2), y = np.ones(2), w0 = np.zeros(2), lr = 1e-11, steps = 1: right ratio 1; here infinity
import math

import numpy as np


def zigzag_descent(x, y, w0, *, lr, steps):
    path = [w0]
    for _ in range(steps):
        w = path[-1]
        path.append(w - lr * (x.T @ (x @ w - y)) / len(y))
    path = np.array(path)
    length = np.linalg.norm(np.diff(path, axis=0), axis=1).sum()
    straight = np.linalg.norm(path[-1] - path[0])
    return path, math.inf if straight < 1e-10 else float(length / straight)
