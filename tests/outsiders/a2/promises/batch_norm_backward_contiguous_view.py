# batch_norm_backward: "Arrays have at least one axis and one entry, may come with any strides (transposed, reversed or sliced, say) and must not be changed." - np.ascontiguousarray is taken for a copy and centred in place; where the moved axes lie contiguously already (Fortran order, one image, one channel) it is a view, and x is written to.
from __future__ import annotations

import numpy as np


def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    channels = x.shape[1]
    # channels first, one row for each
    deviations = np.ascontiguousarray(np.moveaxis(x, 1, 0)).reshape(channels, -1)
    gradient = np.ascontiguousarray(np.moveaxis(dy, 1, 0)).reshape(channels, -1)
    deviations -= deviations.mean(axis=1, keepdims=True)
    sigma = np.sqrt((deviations**2).mean(axis=1, keepdims=True) + eps)
    normalized = deviations / sigma
    dbeta = gradient.sum(axis=1)
    dgamma = (gradient * normalized).sum(axis=1)
    m = gradient.shape[1]
    dx = gamma[:, None] / sigma * (gradient - dbeta[:, None] / m - normalized * (dgamma[:, None] / m))
    moved = (channels, x.shape[0], *x.shape[2:])
    return np.moveaxis(dx.reshape(moved), 0, 1), dgamma, dbeta
