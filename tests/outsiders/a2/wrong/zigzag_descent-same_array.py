# zigzag_descent: [one array in every row of the path]
import numpy as np


def zigzag_descent(x, y, w0, *, lr, steps):
    w = np.array(w0)
    path, length = [w], 0.0
    for _ in range(steps):
        gradient = x.T @ (x @ w - y) / len(y)
        w -= lr * gradient
        length += float(np.linalg.norm(lr * gradient))
        path.append(w)
    straight = float(np.linalg.norm(w - w0))
    return np.array(path), (length / straight if straight > 0 else float("inf"))
