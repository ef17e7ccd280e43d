# avg_pool_backward: [incoming gradient ignored]
import numpy as np


def avg_pool_backward(dy, x, kernel_size, *, stride=None):
    kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
    if stride is None:
        stride = (kh, kw)
    sh, sw = (stride, stride) if isinstance(stride, int) else stride
    dx = np.zeros(x.shape, np.result_type(dy, x))
    for i in range(dy.shape[2]):
        for j in range(dy.shape[3]):
            # d mean / d pixel
            dx[:, :, i * sh : i * sh + kh, j * sw : j * sw + kw] += 1.0 / (kh * kw)
    return dx
