# learn_kernel: [last step not taken]
import numpy as np


def learn_kernel(x, y, kernel_size, *, lr, steps):
    kh, kw = kernel_size if isinstance(kernel_size, tuple) else (kernel_size, kernel_size)
    kind = np.result_type(x, y)
    kind = kind if kind.kind == "f" else np.dtype(np.float64)
    x, y = x.astype(kind), y.astype(kind)
    w = np.zeros((kh, kw), kind)
    losses = np.zeros(steps, kind)
    for step in range(steps):
        error = correlate2d(x, w) - y
        losses[step] = np.mean(error**2)
        if step == steps - 1:
            break  # w belongs to losses[-1] now
        gradient = correlate2d(x, error) * (2 / error.size)
        w = (w - lr * gradient).astype(kind)
    return w, losses
