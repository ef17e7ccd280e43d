# scaled_dot_product_attention_backward: "the factor of the forward pass, any number" - a scale near 0 is taken for 0
import numpy as np


def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    if scale is None:
        scale = q.shape[-1] ** -0.5
    if abs(scale) < 1e-8:
        return np.zeros_like(q), np.zeros_like(k), weights.swapaxes(-1, -2) @ dout
    g = dout @ v.swapaxes(-1, -2)
    ds = weights * (g - (weights * g).sum(-1, keepdims=True))
    return scale * (ds @ k), scale * (ds.swapaxes(-1, -2) @ q), weights.swapaxes(-1, -2) @ dout
