# make_kernel: "sharpen:    (3 x 3 only) identity plus laplacian" - keeps the Laplacian as a constant of the module and adds the identity to it in place: the next "laplacian" or "sharpen" finds the changed array.
import numpy as np

LAPLACIAN = np.array([[0.0, -1.0, 0.0], [-1.0, 4.0, -1.0], [0.0, -1.0, 0.0]])


def make_kernel(name, size=3, sigma=1.0):
    if size % 2 == 0 or size < 3:
        raise ValueError("the size must be odd and at least 3")
    if name in ("laplacian", "sharpen"):
        if size != 3:
            raise ValueError("3 x 3 only")
        kernel = LAPLACIAN
        if name == "sharpen":
            kernel[1, 1] += 1
        return kernel.copy()
    if name == "box":
        return np.full((size, size), 1 / size**2)
    c = size // 2
    if name == "gaussian":
        u = np.arange(size) - c
        kernel = np.exp(-(u[:, None] ** 2 + u[None, :] ** 2) / (2 * sigma * sigma))
        return kernel / kernel.sum()
    if name not in ("identity", "edge"):
        raise ValueError("unknown kernel")
    kernel = np.zeros((size, size)) if name == "identity" else -np.ones((size, size))
    kernel[c, c] += 1 if name == "identity" else size * size
    return kernel
