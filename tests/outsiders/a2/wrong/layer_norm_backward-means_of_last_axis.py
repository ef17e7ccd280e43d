# layer_norm_backward: [both means over the last axis only]
import numpy as np


def layer_norm_backward(dy, x, gamma, *, eps=1e-5):
    own = tuple(range(x.ndim - gamma.ndim, x.ndim))
    before = tuple(range(x.ndim - gamma.ndim))
    centred = x - x.mean(own, keepdims=True)
    inverse = (np.mean(centred**2, own, keepdims=True) + eps) ** -0.5
    hat = centred * inverse
    dhat = dy * gamma
    dx = inverse * (dhat - dhat.mean(-1, keepdims=True) - hat * (dhat * hat).mean(-1, keepdims=True))
    return dx, np.sum(dy * hat, before), np.sum(dy, before)
