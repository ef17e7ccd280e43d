# avg_pool_forward: "the mean of each window" (header: in float32 no entry is off by more than 1e-4 times the largest)
# an integral image (running sums over rows and columns) in the dtype of x: in float32 the difference of large sums leaves few digits, on pictures of a hundred pixels a side and more.
import numpy as np


def avg_pool_forward(x, kernel_size, *, stride=None):
    kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
    if stride is None:
        stride = (kh, kw)
    sh, sw = (stride, stride) if isinstance(stride, int) else stride
    n, c, height, width = x.shape
    sums = np.zeros((n, c, height + 1, width + 1), dtype=x.dtype)
    sums[:, :, 1:, 1:] = x.cumsum(axis=2).cumsum(axis=3)
    totals = sums[:, :, kh:, kw:] - sums[:, :, :-kh, kw:] - sums[:, :, kh:, :-kw] + sums[:, :, :-kh, :-kw]
    return totals[:, :, ::sh, ::sw] / (kh * kw)
