# equivariance_error: "Values may be as small as 1e-14 without being 0, and so may the error." - an error below 1e-9 is taken for rounding, and returned as 0
import numpy as np


def equivariance_error(layer, x, shift, *, stride=1, margin=0):
    down, right = shift
    a = layer(shift_image(x, down, right))
    b = shift_image(layer(x), down // stride, right // stride)
    h, w = b.shape[2:]
    a = a[:, :, margin : h - margin, margin : w - margin]
    b = b[:, :, margin : h - margin, margin : w - margin]
    numerator, denominator = float(np.max(np.abs(a - b))), float(np.max(np.abs(b)))
    if denominator == 0:
        return 0.0 if numerator == 0 else float("inf")
    error = numerator / denominator
    return error if error > 1e-9 else 0.0
