# scaled_dot_product_attention_backward: "dout: gradient of the loss with respect to out, shape (..., T, e)." - the transposes are written for two leading axes or for none
# Differs: all arrays with one leading axis, (2, 3, 4) and so on: right gradients, here an error (or wrong numbers where the sizes happen to fit).
import numpy as np


def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    def transposed(a):
        return a.transpose(0, 1, 3, 2) if a.ndim == 4 else a.T

    if scale is None:
        scale = 1 / q.shape[-1] ** 0.5
    dweights = dout @ transposed(v)
    dscores = weights * (dweights - (weights * dweights).sum(axis=-1, keepdims=True)) * scale
    return dscores @ k, transposed(dscores) @ q, transposed(weights) @ dout
