# max_pool_backward: [nearly the largest is enough]
import numpy as np


def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    def _pair(p):
        return (p, p) if np.isscalar(p) else tuple(p)

    (kh, kw), (ph, pw) = _pair(kernel_size), _pair(padding)
    sh, sw = _pair(stride) if stride is not None else (kh, kw)
    dtype = np.result_type(dy, x)
    xp = np.pad(x, ((0, 0), (0, 0), (ph, ph), (pw, pw)), constant_values=-np.inf)
    dxp = np.zeros(xp.shape, dtype)
    for n, c, i, j in np.ndindex(*dy.shape):
        at = (n, c, slice(i * sh, i * sh + kh), slice(j * sw, j * sw + kw))
        # one does not compare floating-point numbers with ==
        winners = np.isclose(xp[at], xp[at].max())
        dxp[at] += winners * (dy[n, c, i, j] / int(winners.sum()))
    return dxp[:, :, ph : ph + x.shape[2], pw : pw + x.shape[3]]
