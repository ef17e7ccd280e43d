# batch_norm_forward: [moved there and reshaped back]
import numpy as np


def batch_norm_forward(x, gamma, beta, running_mean, running_var, *, training, momentum=0.1, eps=1e-5):
    table = np.moveaxis(x, 1, -1).reshape(-1, x.shape[1])  # one column for each channel
    m = len(table)
    if training:
        if m == 1:
            raise ValueError("one value per channel has no spread")
        mean = table.mean(axis=0)
        squares = ((table - mean) ** 2).sum(axis=0)
        var = squares / m
        new_mean = (1 - momentum) * running_mean + momentum * mean
        new_var = (1 - momentum) * running_var + momentum * squares / (m - 1)
    else:
        mean, var = running_mean, running_var
        new_mean, new_var = running_mean.copy(), running_var.copy()
    y = gamma * (table - mean) / np.sqrt(var + eps) + beta
    return y.reshape(x.shape), new_mean, new_var
