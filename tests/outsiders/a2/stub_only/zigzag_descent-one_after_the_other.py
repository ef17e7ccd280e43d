# zigzag_descent: [one weight after the other] moves the second weight with a gradient taken after the first has moved (one weight after the other)
import math

import numpy as np


def zigzag_descent(x, y, w0, *, lr, steps):
    w = w0.copy()
    path = [w.copy()]
    for _ in range(steps):
        for i in range(2):
            error = x @ w - y
            w[i] = w[i] - lr * (error * x[:, i]).mean()
        path.append(w.copy())
    path = np.array(path)
    length = sum(math.dist(p, q) for p, q in zip(path[:-1], path[1:]))
    straight = math.dist(path[0], path[-1])
    return path, length / straight if straight else math.inf
