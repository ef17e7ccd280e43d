# batch_norm_backward: (header) arrays "must not be changed" - np.ascontiguousarray is taken for a copy, and worked in; it is x itself where the channels come first in memory already
# one image, x of shape (1, 2, 2, 2), or x of shape (5, 2) in Fortran order: right x as before, here x has lost its means
import numpy as np


def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    channels = x.shape[1]
    moved = np.moveaxis(x, 1, 0)
    flat = np.ascontiguousarray(moved).reshape(channels, -1)  # one row for each channel, our own
    g = np.moveaxis(dy, 1, 0).reshape(channels, -1)
    flat -= flat.mean(axis=1, keepdims=True)
    sigma = np.sqrt((flat**2).mean(axis=1, keepdims=True) + eps)
    hat = flat / sigma
    dx = g - g.mean(axis=1, keepdims=True) - hat * (g * hat).mean(axis=1, keepdims=True)
    dx = gamma[:, None] / sigma * dx
    return np.moveaxis(dx.reshape(moved.shape), 0, 1), (g * hat).sum(axis=1), g.sum(axis=1)
