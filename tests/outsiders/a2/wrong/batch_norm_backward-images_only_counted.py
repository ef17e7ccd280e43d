# batch_norm_backward: [pixels not counted]
import numpy as np


def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    axes = (0, 2, 3)[: x.ndim - 1]
    n = x.shape[0]
    column = gamma.reshape(1, -1, *(1,) * (x.ndim - 2))
    std = np.sqrt(np.var(x, axis=axes, keepdims=True) + eps)
    xhat = (x - np.mean(x, axis=axes, keepdims=True)) / std
    dbeta = np.sum(dy, axis=axes, keepdims=True)
    dgamma = np.sum(dy * xhat, axis=axes, keepdims=True)
    dx = column / std / n * (n * dy - dbeta - xhat * dgamma)
    return dx, dgamma.ravel(), dbeta.ravel()
