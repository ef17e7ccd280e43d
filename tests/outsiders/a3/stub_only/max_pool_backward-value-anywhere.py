# max_pool_backward: [an equal value elsewhere] looks for the winner's value in the whole channel instead of in its own window, so that an equal pixel outside the window may take the gradient
import numpy as np


def _max_pool_backward_two(p):
    return (p, p) if isinstance(p, (int, np.integer)) else p


def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    kh, kw = _max_pool_backward_two(kernel_size)
    sh, sw = _max_pool_backward_two(kernel_size if stride is None else stride)
    ph, pw = _max_pool_backward_two(padding)
    dx = np.zeros(x.shape, np.result_type(dy, x))
    for n, c, i, j in np.ndindex(*dy.shape):
        top, left = i * sh - ph, j * sw - pw
        best = x[n, c, max(top, 0) : top + kh, max(left, 0) : left + kw].max()
        r, q = np.argwhere(x[n, c] == best)[0]
        dx[n, c, r, q] += dy[n, c, i, j]
    return dx
