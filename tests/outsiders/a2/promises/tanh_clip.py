# tanh: "Errors up to 1e-12 pass (in float32 1e-6), also where tanh(x) itself is as small as that." - x is clipped to -12...12, where tanh is 1 up to 8e-11 only
# x = np.array([20.0]): right 1; here 1 - 7.6e-11
import numpy as np


def tanh(x):
    x = np.clip(x, -12, 12)
    a, b = np.exp(x), np.exp(-x)
    return (a - b) / (a + b)
