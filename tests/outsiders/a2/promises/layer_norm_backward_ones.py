# layer_norm_backward: dgamma and dbeta "of the shape of gamma" - they are summed over all axes along which gamma, padded with ones, has length 1: also over gamma's own axes of length 1, which are lost
# gamma of shape (2, 1, 3), x of shape (4, 2, 1, 3): right dgamma of shape (2, 1, 3), here (2, 3)
import numpy as np


def layer_norm_backward(dy, x, gamma, *, eps=1e-5):
    axes = tuple(range(x.ndim - gamma.ndim, x.ndim))
    centred = x - x.mean(axis=axes, keepdims=True)
    sigma = np.sqrt((centred**2).mean(axis=axes, keepdims=True) + eps)
    hat = centred / sigma
    g = dy * gamma
    dx = (g - g.mean(axis=axes, keepdims=True) - hat * (g * hat).mean(axis=axes, keepdims=True)) / sigma
    padded = (1,) * (x.ndim - gamma.ndim) + gamma.shape
    spread = tuple(i for i, side in enumerate(padded) if side == 1)  # where gamma was broadcast
    return dx, (dy * hat).sum(axis=spread), dy.sum(axis=spread)
