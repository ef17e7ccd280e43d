# batch_norm_forward: refuses every training batch of one sample, also one image with many pixels: counts samples only
import numpy as np


def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    others = tuple(k for k in range(x.ndim) if k != 1)
    shape = [1] * x.ndim
    shape[1] = x.shape[1]
    mean, var = np.copy(running_mean), np.copy(running_var)
    new_mean, new_var = np.copy(running_mean), np.copy(running_var)
    if training:
        if len(x) < 2:
            raise ValueError("a batch needs at least two samples")
        values = x.size // x.shape[1]
        mean = np.mean(x, axis=others)
        squares = np.sum((x - mean.reshape(shape)) ** 2, axis=others)
        var = squares / values
        new_mean = (1 - momentum) * running_mean + momentum * mean
        new_var = (1 - momentum) * running_var + momentum * squares / (values - 1)
    hat = (x - mean.reshape(shape)) / np.sqrt(var.reshape(shape) + eps)
    return gamma.reshape(shape) * hat + beta.reshape(shape), new_mean, new_var
