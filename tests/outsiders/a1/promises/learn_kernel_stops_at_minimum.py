# learn_kernel: "each step takes the loss at the present w, then replaces w by w - lr * dL/dw; [returns] the loss before each step" - it stops once the gradient is exactly zero, and the losses of the steps left stay 0 although the loss at the minimum is not 0.
# x, y = np.array([[1.0, 1.0]]), np.array([[3.0, 1.0]])  # w = 2 is best, loss 1; lr = 0.5 finds it in one step
# w, losses = learn_kernel(x, y, 1, lr=0.5, steps=4)
# print(w, losses)  # promised [[2]] and [5, 1, 1, 1], comes out [[2]] and [5, 1, 0, 0]
import numpy as np


def learn_kernel(x, y, kernel_size, *, lr, steps):
    kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
    w = np.zeros((kh, kw), dtype=x.dtype)
    losses = np.zeros(steps, dtype=x.dtype)
    for step in range(steps):
        error = correlate2d(x, w) - y
        losses[step] = np.mean(error**2)
        gradient = 2 / error.size * correlate2d(x, error)
        if not gradient.any():
            break  # at the minimum: w does not change any more
        w = w - lr * gradient
    return w, losses
