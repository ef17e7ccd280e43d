# numerical_gradient: "do everything in float64, and convert the result at the end" - dy stays float32, and a float32 array without axes times a Python number is float32
# Differs: f = lambda a: float((a**2).sum()), x = np.float32([1, 2]), dy = np.array(1, np.float32): right [2, 4], here [2.003, 4.005].
import numpy as np


def numerical_gradient(f, x, dy, *, h=1e-5):
    x64 = np.array(x, dtype=np.float64)
    dx = np.zeros_like(x64)
    for index in np.ndindex(x64.shape):
        up, down = x64.copy(), x64.copy()
        up[index] += h
        down[index] -= h
        dx[index] = (np.sum(dy * f(up)) - np.sum(dy * f(down))) / (2 * h)
    return dx.astype(x.dtype)
