# layer_norm_forward: "In float64, the mean of a sample that varies may be up to 100 000 times its deviation" - The variance is the mean of the squares minus the square of the mean, "made safe" by subtracting the mean of the whole batch first. That helps only if all samples lie equally far out.
import numpy as np


def layer_norm_forward(x, gamma, beta, *, eps=1e-5):
    axes = tuple(range(x.ndim - gamma.ndim, x.ndim))
    z = x - x.mean()  # samples far from zero lose digits in the squares
    mean = z.mean(axis=axes, keepdims=True)
    var = np.maximum((z**2).mean(axis=axes, keepdims=True) - mean**2, 0)
    return gamma * (z - mean) / np.sqrt(var + eps) + beta
