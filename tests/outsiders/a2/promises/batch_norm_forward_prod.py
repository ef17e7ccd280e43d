# batch_norm_forward: "a float32 array divided by a Python int or float stays float32, divided by an np.int64 or np.float64 it becomes float64" and so "have the arrays that are returned" one dtype - for images m is np.prod of the shape, an np.int64, and the new running_var of float32 images is float64.
from __future__ import annotations

import numpy as np


def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    if x.ndim == 2:
        axes, shape, m = (0,), (1, -1), x.shape[0]
    else:
        axes, shape = (0, 2, 3), (1, -1, 1, 1)
        m = np.prod([x.shape[axis] for axis in axes])
    if not training:
        mean, var = running_mean, running_var
        kept = running_mean.copy(), running_var.copy()
    elif m == 1:
        raise ValueError("one value per channel has no spread")
    else:
        mean = x.mean(axis=axes)
        squares = ((x - mean.reshape(shape)) ** 2).sum(axis=axes)
        var = squares / int(m)
        kept = (
            (1 - momentum) * running_mean + momentum * mean,
            (1 - momentum) * running_var + momentum * (squares / (m - 1)),
        )
    normalized = (x - mean.reshape(shape)) / np.sqrt(var.reshape(shape) + eps)
    return (gamma.reshape(shape) * normalized + beta.reshape(shape), *kept)
