# window_coverage: "ValueError: the window (kh, kw) is larger than the padded image." - counts the windows alone, with int(a / b), which rounds towards zero: with a stride, a window that sticks out by less than the stride is counted instead of refused.
import numpy as np


def window_coverage(size, kernel_size, *, stride=1, padding=0):
    two = lambda q: (q, q) if isinstance(q, int) else q
    lines = []
    for n, k, s, p in zip(two(size), two(kernel_size), two(stride), two(padding)):
        count = int((n + 2 * p - k) / s) + 1
        if count < 1:
            raise ValueError("the window is larger than the padded image")
        line = np.zeros(n + 2 * p, np.int64)
        for i in range(count):
            line[i * s : i * s + k] += 1
        lines.append(line[p : p + n])
    return np.outer(*lines)
