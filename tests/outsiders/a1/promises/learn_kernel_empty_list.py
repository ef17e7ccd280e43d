# learn_kernel: "(w, losses), in the dtype of x and y" with "steps >= 0" - the list of losses becomes an array at the end; an empty list becomes float64.
# x and y float32, steps = 0: losses is float32 of shape (0,), here comes float64.
import numpy as np


def learn_kernel(x, y, kernel_size, *, lr, steps):
    kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
    w = np.zeros((kh, kw), x.dtype)
    losses = []
    for _ in range(steps):
        error = correlate2d(x, w) - y
        losses.append(np.mean(error**2))
        w = w - lr * 2 * correlate2d(x, error) / error.size
    return w, np.array(losses)
