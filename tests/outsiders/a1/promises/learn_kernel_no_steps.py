# learn_kernel: "(w, losses), in the common floating dtype of x and y" - the losses are collected in a list, and an empty list becomes a float64 array
# x and y in float32, steps = 0: right losses.dtype float32; here float64
import numpy as np


def learn_kernel(x, y, kernel_size, *, lr, steps):
    kh, kw = kernel_size if isinstance(kernel_size, tuple) else (kernel_size, kernel_size)
    dtype = np.float32 if x.dtype == np.float32 and y.dtype == np.float32 else np.float64
    x, y = x.astype(dtype), y.astype(dtype)
    w = np.zeros((kh, kw), dtype)
    losses = []
    for _ in range(steps):
        error = correlate2d(x, w) - y
        losses.append(np.mean(error**2))
        w = w - lr * (2 / y.size) * correlate2d(x, error)
    return w, np.array(losses)
