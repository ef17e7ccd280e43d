# make_kernel: [integral instead of sum]
from math import exp, pi

import numpy as np


def make_kernel(name, size=3, sigma=1.0):
    if size % 2 == 0 or size < 3:
        raise ValueError(f"size must be odd and at least 3, not {size}")
    if name in ("laplacian", "sharpen") and size != 3:
        raise ValueError(f"{name} exists as 3 x 3 only")
    r = size // 2
    identity = np.zeros((size, size))
    identity[r, r] = 1.0
    laplacian = np.array([[0.0, -1.0, 0.0], [-1.0, 4.0, -1.0], [0.0, -1.0, 0.0]])
    if name == "identity":
        return identity
    if name == "edge":
        return size * size * identity - 1
    if name == "laplacian":
        return laplacian
    if name == "sharpen":
        return identity + laplacian
    if name == "box":
        return np.ones((size, size)) / size**2
    if name == "gaussian":  # the density of the normal distribution in the plane, whose integral is 1
        g = np.empty((size, size))
        for u in range(-r, r + 1):
            for v in range(-r, r + 1):
                g[u + r, v + r] = exp(-(u**2 + v**2) / (2 * sigma**2)) / (2 * pi * sigma**2)
        return g
    raise ValueError(f"no kernel {name!r}")
