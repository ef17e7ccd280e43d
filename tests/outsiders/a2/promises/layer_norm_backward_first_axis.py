# layer_norm_backward: "x: input of the forward pass; its shape ends in the shape of gamma." - with several axes in gamma, everything but the first axis of x is taken for one sample
# dy and x of shape (2, 3, 2, 2), gamma of shape (2, 2): right each of the 6 places by itself; here the means run over 3 of them together
import numpy as np


def layer_norm_backward(dy, x, gamma, *, eps=1e-5):
    axes = -1 if gamma.ndim == 1 else tuple(range(1, x.ndim))
    rest = x - x.mean(axis=axes, keepdims=True)
    sigma = np.sqrt((rest**2).mean(axis=axes, keepdims=True) + eps)
    hat = rest / sigma
    g = gamma * dy
    dx = (g - g.mean(axis=axes, keepdims=True) - hat * (g * hat).mean(axis=axes, keepdims=True)) / sigma
    before = tuple(range(x.ndim - gamma.ndim))
    return dx, (dy * hat).sum(axis=before), dy.sum(axis=before)
