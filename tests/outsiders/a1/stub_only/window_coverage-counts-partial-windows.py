# window_coverage: a last window that sticks out of the padded image on the right or at the bottom is counted too (ceil instead of floor)
import numpy as np


def _window_coverage_axis(n, k, s, p):
    if k > n + 2 * p:
        raise ValueError("the window is larger than the padded image")
    seen = np.zeros(n + 2 * p, dtype=np.int64)
    starts = range(0, n + 2 * p - k + s, s)
    for start in starts:
        seen[start : start + k] += 1
    return seen[p : p + n]


def window_coverage(size, kernel_size, *, stride=1, padding=0):
    def pair(value):
        return (value, value) if isinstance(value, int) else tuple(value)

    rows, columns = (
        _window_coverage_axis(n, k, s, p)
        for n, k, s, p in zip(pair(size), pair(kernel_size), pair(stride), pair(padding))
    )
    return np.outer(rows, columns)
