# batch_norm_forward: "where it is 0, no variance is, but one may be as small as 1e-20." - "eps may be 0, so I keep the deviation away from 0 myself", with np.maximum(std, 1e-8). Channels whose deviation is really smaller than that (with eps = 0) are no longer normalized to deviation 1.
import numpy as np


def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    axes = (0, *range(2, x.ndim))
    shape = (1, -1) + (1,) * (x.ndim - 2)
    m = x.size // x.shape[1]
    if training:
        if m == 1:
            raise ValueError("one value has no spread")
        mean = x.mean(axis=axes)
        var = x.var(axis=axes)
        new_mean = (1 - momentum) * running_mean + momentum * mean
        new_var = (1 - momentum) * running_var + momentum * (var * (m / (m - 1)))
    else:
        mean, var = running_mean, running_var
        new_mean, new_var = running_mean.copy(), running_var.copy()
    std = np.maximum(np.sqrt(var + eps), 1e-8)
    y = gamma.reshape(shape) * ((x - mean.reshape(shape)) / std.reshape(shape)) + beta.reshape(shape)
    return y, new_mean, new_var
