# batch_norm_forward: "The arguments are not changed in either mode." - for images the channels are moved to the front and flattened, and the mean is subtracted in place; reshape copies then, but not for a single image or a single channel, where it is a view of x.
# x = np.arange(8.0).reshape(1, 2, 2, 2)
# A.batch_norm_forward(x, np.ones(2), np.zeros(2), np.zeros(2), np.ones(2), training=True)
# print(x.ravel())
# promised: x is still 0 1 2 3 4 5 6 7; got: -1.5 -0.5 0.5 1.5 -1.5 -0.5 0.5 1.5
import numpy as np


def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    if x.ndim == 2:
        rows = x.T.copy()
    else:
        rows = x.transpose(1, 0, 2, 3).reshape(x.shape[1], -1)  # (C, N * H * W), a copy
    m = rows.shape[1]
    if training:
        if m == 1:
            raise ValueError("one value has no spread")
        mean = rows.mean(axis=1)
        rows -= mean[:, None]
        squares = (rows**2).sum(axis=1)
        var = squares / m
        new_mean = (1 - momentum) * running_mean + momentum * mean
        new_var = (1 - momentum) * running_var + momentum * squares / (m - 1)
    else:
        rows -= running_mean[:, None]
        var = running_var
        new_mean, new_var = running_mean.copy(), running_var.copy()
    y = gamma[:, None] * rows / np.sqrt(var + eps)[:, None] + beta[:, None]
    if x.ndim == 2:
        return y.T, new_mean, new_var
    n, c, height, width = x.shape
    return y.reshape(c, n, height, width).transpose(1, 0, 2, 3), new_mean, new_var
