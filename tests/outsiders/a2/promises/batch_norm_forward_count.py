# batch_norm_forward: (header) "The floating arrays of one call have one dtype, float32 or float64, and so have the arrays that are returned" - for images m is np.prod of three sides, an np.int64, and the variance becomes float64
# images (2, 3, 2, 2) in float32, training=True: right y in float32, here y and running_var in float64 (vectors are right)
import numpy as np


def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    axes, m = ((0,), x.shape[0]) if x.ndim == 2 else ((0, 2, 3), np.prod([x.shape[0], x.shape[2], x.shape[3]]))

    def wide(v):
        return v.reshape(1, -1, *[1] * (x.ndim - 2))

    if not training:
        y = wide(gamma) * (x - wide(running_mean)) / np.sqrt(wide(running_var) + eps) + wide(beta)
        return y, running_mean.copy(), running_var.copy()
    if m == 1:
        raise ValueError("one value has no spread")
    mean = x.mean(axis=axes)
    squares = ((x - wide(mean)) ** 2).sum(axis=axes)
    y = wide(gamma) * (x - wide(mean)) / np.sqrt(wide(squares / m) + eps) + wide(beta)
    new_mean = (1 - momentum) * running_mean + momentum * mean
    return y, new_mean, (1 - momentum) * running_var + momentum * (squares / (m - 1))
