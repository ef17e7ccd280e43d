# batch_norm_backward: "Returns: (dx, dgamma, dbeta)", the gradients with respect to x, gamma, beta, for gamma "scale, shape (C,)" - the sums of g = gamma * dy, which dx needs, are used again for dgamma and dbeta by taking gamma out of them; a channel with gamma = 0 (a usual way to begin) gives 0/0 = NaN.
# x = np.array([[1.0, 1.0], [2.0, 0.0], [6.0, 5.0]])
# _, dgamma, dbeta = A.batch_norm_backward(np.ones((3, 2)) * [[1.0], [2.0], [4.0]], x, np.array([0.0, 1.0]))
# print(dgamma, dbeta)
# promised: finite numbers, dbeta = [7 7]; got: [nan ...] [nan 7]
import numpy as np


def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    axes = (0,) + tuple(range(2, x.ndim))
    shape = (1, -1) + (1,) * (x.ndim - 2)
    m = x.size // x.shape[1]
    centred = x - x.mean(axis=axes, keepdims=True)
    sigma = np.sqrt((centred**2).mean(axis=axes, keepdims=True) + eps)
    normal = centred / sigma
    g = gamma.reshape(shape) * dy
    sum_g = g.sum(axis=axes)
    sum_g_normal = (g * normal).sum(axis=axes)
    dx = (g - sum_g.reshape(shape) / m - normal * sum_g_normal.reshape(shape) / m) / sigma
    return dx, sum_g_normal / gamma, sum_g / gamma
