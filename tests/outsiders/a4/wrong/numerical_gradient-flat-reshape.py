# numerical_gradient: [a copy only now and then]
import numpy as np


def numerical_gradient(f, x, dy, *, h=1e-5):
    point = np.array(x, dtype=np.float64)  # my own, in double precision
    entries = point.reshape(-1)
    slopes = []
    for i in range(entries.size):
        middle = entries[i]
        values = []
        for moved in (middle + h, middle - h):
            entries[i] = moved
            values.append(np.array(f(point), dtype=np.float64))
        entries[i] = middle
        plus, minus = values
        slopes.append(float(((plus - minus) * dy).sum()) / (2 * h))
    return np.array(slopes).reshape(x.shape).astype(x.dtype)
