# window_coverage: "Some are 0 where the stride leaps over pixels or leaves some over. / Raises: ValueError: the window (kh, kw) is larger than the padded image." - it takes "no pixel is seen" for "no window fits"; where all windows that fit lie in the padding, it raises instead of returning zeros.
# got = window_coverage((1, 3), 1, stride=2, padding=1)  # the padded image is 3 x 5, rows 0 and 2 have windows
# print(got)  # promised [[0, 0, 0]] (the stride leaps over the row), comes out a ValueError
import numpy as np


def window_coverage(size, kernel_size, *, stride=1, padding=0):
    def pair(value):
        return (value, value) if isinstance(value, int) else value

    def along(n, k, s, p):
        counts = np.zeros(n + 2 * p, dtype=np.int64)
        for start in range(0, n + 2 * p - k + 1, s):
            counts[start : start + k] += 1
        counts = counts[p : p + n]
        if not counts.any():
            raise ValueError("the window is larger than the padded image")
        return counts

    rows, columns = (along(*each) for each in zip(pair(size), pair(kernel_size), pair(stride), pair(padding)))
    return rows[:, None] * columns
