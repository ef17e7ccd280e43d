# max_pool_backward: [every gradient in the first channel]
import numpy as np


def _max_pool_backward_two(p):
    return p if isinstance(p, tuple) else (p, p)


def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    kh, kw = _max_pool_backward_two(kernel_size)
    sh, sw = (kh, kw) if stride is None else _max_pool_backward_two(stride)
    ph, pw = _max_pool_backward_two(padding)
    N, C, H, W = x.shape
    places, amounts = [], []
    for n in range(N):
        for c in range(C):
            for i in range(dy.shape[2]):
                for j in range(dy.shape[3]):
                    rows = range(max(0, i * sh - ph), min(H, i * sh - ph + kh))
                    cols = range(max(0, j * sw - pw), min(W, j * sw - pw + kw))
                    r, q = max(((r, q) for r in rows for q in cols), key=lambda at: x[n, c, at[0], at[1]])
                    places.append(n * C * H * W + r * W + q)  # the place in the long vector
                    amounts.append(dy[n, c, i, j])
    dx = np.zeros(N * C * H * W, dtype=np.result_type(dy, x))
    np.add.at(dx, places, amounts)
    return dx.reshape(x.shape)
