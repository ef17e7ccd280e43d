# avg_pool_backward: "What is returned may be a new array or a view of an argument, and may be read-only; later calls must not change it." (header) - the result is a buffer that is kept for the shape and cleared and filled again by the next call, to save the allocation in every training step.
import numpy as np


def avg_pool_backward(dy, x, kernel_size, *, stride=None, _buffers={}):
    kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
    stride = (kh, kw) if stride is None else stride
    sh, sw = (stride, stride) if isinstance(stride, int) else stride
    ho, wo = dy.shape[2:]
    key = (x.shape, x.dtype)
    if key not in _buffers:
        _buffers[key] = np.empty(x.shape, x.dtype)
    dx = _buffers[key]
    dx.fill(0)
    share = dy / (kh * kw)
    for u in range(kh):
        for v in range(kw):
            dx[:, :, u : u + sh * (ho - 1) + 1 : sh, v : v + sw * (wo - 1) + 1 : sw] += share
    return dx
