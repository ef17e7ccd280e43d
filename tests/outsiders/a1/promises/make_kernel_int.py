# make_kernel: "The kernel, shape (size, size), float64." - the two kernels that are written down as numbers are made of integers
# make_kernel("laplacian").dtype: right float64; here int64
import numpy as np


def make_kernel(name, size=3, sigma=1.0):
    if size % 2 == 0 or size < 3:
        raise ValueError("size must be odd and at least 3")
    identity = np.zeros((size, size))
    identity[size // 2, size // 2] = 1
    if name == "identity":
        return identity
    if name == "edge":
        return size * size * identity - 1
    if name == "box":
        return np.full((size, size), 1 / size**2)
    if name == "gaussian":
        u = np.arange(size) - size // 2
        g = np.exp(-(u[:, None] ** 2 + u**2) / (2 * sigma * sigma))
        return g / g.sum()
    if name not in ("laplacian", "sharpen"):
        raise ValueError("no such kernel")
    if size != 3:
        raise ValueError("3 x 3 only")
    centre = 4 if name == "laplacian" else 5
    return np.array([[0, -1, 0], [-1, centre, -1], [0, -1, 0]])
