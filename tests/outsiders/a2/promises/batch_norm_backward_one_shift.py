# batch_norm_backward: "In float64, channels may lie as far from zero as in the forward pass." - The variance is the mean of the squares minus the square of the mean, "made safe" by subtracting one mean of the whole array first. That helps only if all channels lie equally far out.
import numpy as np


def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    axes = (0, *range(2, x.ndim))
    shape = (1, -1) + (1,) * (x.ndim - 2)
    z = x - x.mean()
    mean = z.mean(axis=axes, keepdims=True)
    var = np.maximum((z * z).mean(axis=axes, keepdims=True) - mean**2, 0)
    std = np.sqrt(var + eps)
    xhat = (z - mean) / std
    g = dy * gamma.reshape(shape)
    dx = (g - g.mean(axis=axes, keepdims=True) - xhat * (g * xhat).mean(axis=axes, keepdims=True)) / std
    return dx, (dy * xhat).sum(axis=axes), dy.sum(axis=axes)
