# layer_norm_backward: "What is returned may be a new array or a view of an argument; later calls must not change it." - To spare allocations in a training loop the student computes dx in a workspace that is kept for each shape, and returns it. The next call with the same shape overwrites the dx of the one before.
from functools import lru_cache

import numpy as np


@lru_cache(maxsize=None)
def _workspace(shape, dtype):
    return np.empty(shape, dtype)


def layer_norm_backward(dy, x, gamma, *, eps=1e-5):
    axes = tuple(range(-gamma.ndim, 0))
    rest = tuple(range(x.ndim - gamma.ndim))
    xhat = x - x.mean(axis=axes, keepdims=True)
    std = np.sqrt((xhat**2).mean(axis=axes, keepdims=True) + eps)
    xhat /= std
    dx = _workspace(x.shape, x.dtype)
    np.multiply(dy, gamma, out=dx)
    share = (dx * xhat).mean(axis=axes, keepdims=True)
    dx -= dx.mean(axis=axes, keepdims=True)
    dx -= xhat * share
    dx /= std
    return dx, (dy * xhat).sum(axis=rest), dy.sum(axis=rest)
