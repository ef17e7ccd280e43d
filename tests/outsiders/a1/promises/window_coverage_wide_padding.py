# window_coverage: "padding: ... >= 0" - a window that lies wholly in the padding (padding > kernel) ends at a negative index, which Python counts from the other end.
# size = (6, 1), kernel_size = (2, 1), padding = (3, 0): right is 2 2 2 2 2 2, here comes 3 3 3 3 3 2.
import numpy as np


def window_coverage(size, kernel_size, *, stride=1, padding=0):
    def pair(p):
        return (p, p) if isinstance(p, int) else p

    counts = []
    for n, k, s, p in zip(pair(size), pair(kernel_size), pair(stride), pair(padding), strict=True):
        count = np.zeros(n, np.int64)
        for i in range(output_size(n, k, stride=s, padding=p)):
            begin = s * i - p
            count[max(begin, 0) : begin + k] += 1
        counts.append(count)
    return np.outer(*counts)
