# window_coverage: "ValueError: the window (kh, kw) is larger than the padded image." - it raises only where the window is larger along both axes
# size = (2, 9), kernel_size = 3: right a ValueError; here zeros
import numpy as np


def window_coverage(size, kernel_size, *, stride=1, padding=0):
    def pair(p):
        return p if isinstance(p, tuple) else (p, p)

    (H, W), (kh, kw), (sh, sw), (ph, pw) = pair(size), pair(kernel_size), pair(stride), pair(padding)
    if kh > H + 2 * ph and kw > W + 2 * pw:
        raise ValueError("the window is larger than the padded image")
    counts = np.zeros((H + 2 * ph, W + 2 * pw), dtype=np.int64)
    for i in range(0, H + 2 * ph - kh + 1, sh):
        for j in range(0, W + 2 * pw - kw + 1, sw):
            counts[i : i + kh, j : j + kw] += 1
    return counts[ph : ph + H, pw : pw + W]
