# batch_norm_backward: header: "The floating arrays of one call have one dtype, float32 or float64, and so have the arrays that are returned." - for images m is multiplied by np.prod(...), an np.int64, and dividing by it makes dx float64 where all arguments are float32 (vectors are right).
# x = np.arange(16, dtype=np.float32).reshape(2, 2, 2, 2) ** 2
# print([a.dtype.name for a in A.batch_norm_backward(x[::-1], x, np.ones(2, np.float32))])
# promised: float32 three times; got: float64 float32 float32
import numpy as np


def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    axes, shape, m = (0,), (1, -1), x.shape[0]
    if x.ndim == 4:
        axes, shape = (0, 2, 3), (1, -1, 1, 1)
        m *= np.prod(x.shape[2:])
    centred = x - x.mean(axis=axes, keepdims=True)
    sigma = np.sqrt((centred**2).mean(axis=axes, keepdims=True) + eps)
    normal = centred / sigma
    dbeta = dy.sum(axis=axes)
    dgamma = (dy * normal).sum(axis=axes)
    dx = gamma.reshape(shape) / sigma * (dy - (dbeta.reshape(shape) + normal * dgamma.reshape(shape)) / m)
    return dx, dgamma, dbeta
