# match_template: "Rounding errors in a mean must not hide that a window is constant" - the limit for these errors is made for float64; float32 means are off by far more.
# x = float32, 9 times 1.3, template = float32, 6 times 1.3: right is exactly 0 everywhere, here comes 1 (and with the template 0 1 4 2 2 4 noise of 3e-8).
import numpy as np


def match_template(x, template):
    n, m = len(x), len(template)
    if m > n:
        raise ValueError("the template is longer than x")
    dtype = np.float32 if x.dtype == np.float32 and template.dtype == np.float32 else np.float64
    x, template = x.astype(dtype), template.astype(dtype)

    def direction(vector):
        rest = vector - vector.mean()
        if np.abs(rest).max() <= 1e-13 * np.abs(vector).max():
            return np.zeros_like(vector)
        return rest / np.linalg.norm(rest)

    shape = direction(template)
    return np.array([direction(x[i : i + m]) @ shape for i in range(n - m + 1)], dtype=dtype)
