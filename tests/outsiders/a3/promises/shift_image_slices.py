# shift_image: "H rows or more leave nothing but zeros." - the end of a slice, H - |down|, becomes negative for shifts beyond H and then counts from the end: between H and 2 H (for H > 2) the two sides of the assignment do not fit, and it raises an error; the same with columns.
import numpy as np


def shift_image(x, down, right):
    height, width = x.shape[-2:]
    y = np.zeros_like(x)
    y[..., max(down, 0) : height + min(down, 0), max(right, 0) : width + min(right, 0)] = x[
        ..., max(-down, 0) : height - max(down, 0), max(-right, 0) : width - max(right, 0)
    ]
    return y
