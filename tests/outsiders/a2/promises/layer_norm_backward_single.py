# layer_norm_backward: "The floating arrays of one call have one dtype, float32 or float64, and so have the arrays that are returned." - the case of one entry ("With one entry dx is 0") is answered by np.zeros(x.shape), which is float64 for float32 too.
from __future__ import annotations

import numpy as np


def layer_norm_backward(dy, x, gamma, *, eps=1e-5):
    axes = tuple(range(x.ndim - gamma.ndim, x.ndim))
    samples = tuple(range(x.ndim - gamma.ndim))
    dbeta = dy.sum(axis=samples)
    if gamma.size == 1:  # a single feature is always normalized to 0
        return np.zeros(x.shape), np.zeros_like(gamma), dbeta
    deviations = x - x.mean(axis=axes, keepdims=True)
    sigma = np.sqrt((deviations**2).mean(axis=axes, keepdims=True) + eps)
    normalized = deviations / sigma
    dgamma = (dy * normalized).sum(axis=samples)
    g = gamma * dy
    share = (g * normalized).mean(axis=axes, keepdims=True)
    return (g - g.mean(axis=axes, keepdims=True) - normalized * share) / sigma, dgamma, dbeta
