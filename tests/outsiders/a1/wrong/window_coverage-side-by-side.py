# window_coverage: [windows one apart]
import numpy as np


def window_coverage(size, kernel_size, *, stride=1, padding=0):
    H, W = size if isinstance(size, tuple) else (size, size)
    kh, kw = kernel_size if isinstance(kernel_size, tuple) else (kernel_size, kernel_size)
    sh, sw = stride if isinstance(stride, tuple) else (stride, stride)
    ph, pw = padding if isinstance(padding, tuple) else (padding, padding)
    Ho = output_size(H, kh, stride=sh, padding=ph)
    Wo = output_size(W, kw, stride=sw, padding=pw)
    counts = np.zeros((H + 2 * ph, W + 2 * pw), dtype=np.int64)
    for i in range(Ho):
        for j in range(Wo):
            counts[i : i + kh, j : j + kw] += 1
    return counts[ph : ph + H, pw : pw + W]
