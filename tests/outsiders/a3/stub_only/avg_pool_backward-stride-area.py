# avg_pool_backward: [area of the step] divides by the area of a stride (how far the windows are apart) instead of by the number of pixels in a window
import numpy as np


def avg_pool_backward(dy, x, kernel_size, *, stride=None):
    def _two(p):
        return tuple(p) if np.ndim(p) else (p, p)

    kh, kw = _two(kernel_size)
    sh, sw = (kh, kw) if stride is None else _two(stride)
    Ho, Wo = dy.shape[-2:]
    dx = np.zeros(x.shape, dtype=np.result_type(dy, x))
    for u in range(kh):
        for v in range(kw):
            dx[:, :, u : u + sh * (Ho - 1) + 1 : sh, v : v + sw * (Wo - 1) + 1 : sw] += dy / (sh * sw)
    return dx
