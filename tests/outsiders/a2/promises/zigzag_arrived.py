# zigzag_descent: "the weights before the first step and after each one" - the walk ends when the gradient is exactly 0, and the rows of the path that were not reached still hold w0, with which they were filled; so does the last point that the ratio is made of.
# x = np.array([[2.0, 0.0], [0.0, 2.0]])
# print(*A.zigzag_descent(x, np.array([2.0, 4.0]), np.zeros(2), lr=0.5, steps=3))
# promised: (0 0), (1 2), (1 2), (1 2) and the ratio 1; got: (0 0), (1 2), (0 0), (0 0) and inf
import numpy as np


def zigzag_descent(x, y, w0, *, lr, steps):
    path = np.tile(w0, (steps + 1, 1))
    for k in range(steps):
        gradient = x.T @ (x @ path[k] - y) / len(y)
        if not gradient.any():
            break  # arrived: nothing moves any more
        path[k + 1] = path[k] - lr * gradient
    straight = np.linalg.norm(path[-1] - path[0])
    length = np.linalg.norm(np.diff(path, axis=0), axis=1).sum()
    return path, float(length / straight) if straight > 0 else np.inf
