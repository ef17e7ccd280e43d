# make_kernel: "ValueError: the size is even or below 3, or it is not 3 and the kernel exists as 3 x 3 only, or there is no kernel of that name." - names are lowered and stripped first, so "Gaussian" or "BOX", of which there is none, give a kernel.
import numpy as np


def make_kernel(name, size=3, sigma=1.0):
    name = str(name).strip().lower()
    if size % 2 == 0 or size < 3:
        raise ValueError("the size must be odd and at least 3")
    if name in ("laplacian", "sharpen") and size != 3:
        raise ValueError(f"{name} exists as 3 x 3 only")
    offsets = np.arange(size) - size // 2
    identity = np.zeros((size, size))
    identity[size // 2, size // 2] = 1.0
    if name == "identity":
        return identity
    if name == "edge":
        return size * size * identity - 1.0
    if name == "laplacian":
        return np.array([[0.0, -1.0, 0.0], [-1.0, 4.0, -1.0], [0.0, -1.0, 0.0]])
    if name == "sharpen":
        return np.array([[0.0, -1.0, 0.0], [-1.0, 5.0, -1.0], [0.0, -1.0, 0.0]])
    if name == "box":
        return np.full((size, size), 1.0 / (size * size))
    if name == "gaussian":
        bell = np.exp(-(offsets[:, None] ** 2 + offsets**2) / (2 * sigma * sigma))
        return bell / bell.sum()
    raise ValueError(f"there is no kernel {name}")
