# equivariance_error: "Where the denominator is 0, the error is 0 if the numerator is 0 too, and infinite otherwise." - also where the denominator is only small
# Differs: layer = lambda a: a * np.arange(1.0, 4.0), x = 1e-14 * np.ones((1, 1, 3, 3)), shift=(0, 1): right 0.5, here inf.
import numpy as np


def equivariance_error(layer, x, shift, *, stride=1, margin=0):
    down, right = shift
    a = layer(shift_image(x, down, right))
    b = shift_image(layer(x), down // stride, right // stride)
    H, W = a.shape[2:]
    a, b = a[:, :, margin : H - margin, margin : W - margin], b[:, :, margin : H - margin, margin : W - margin]
    numerator, denominator = float(np.abs(a - b).max()), float(np.abs(b).max())
    if denominator < 1e-12:
        return 0.0 if numerator < 1e-15 else float("inf")
    return numerator / denominator
