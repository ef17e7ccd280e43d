# batch_norm_forward: "In evaluation the last two are copies of the running statistics" - copied by np.array(..., float), which makes float64 of float32
# all arrays in float32, training=False: right float32 statistics; here float64
import numpy as np


def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    axes = (0, *range(2, x.ndim))
    shape = (1, -1) + (1,) * (x.ndim - 2)
    if training:
        m = x.size // x.shape[1]
        if m == 1:
            raise ValueError("one value has no spread")
        mean = x.mean(axis=axes)
        squares = ((x - mean.reshape(shape)) ** 2).sum(axis=axes)
        var = squares / m
        new_mean = (1 - momentum) * running_mean + momentum * mean
        new_var = (1 - momentum) * running_var + momentum * squares / (m - 1)
    else:
        mean, var = running_mean, running_var
        new_mean, new_var = np.array(running_mean, float), np.array(running_var, float)
    y = (x - mean.reshape(shape)) / np.sqrt(var + eps).reshape(shape)
    return gamma.reshape(shape) * y + beta.reshape(shape), new_mean, new_var
