# equivariance_error: [each image's own quotient] forms the quotient for each image on its own and returns the largest, instead of one maximum over all images above and below
import numpy as np


def equivariance_error(layer, x, shift, *, stride=1, margin=0):
    down, right = shift
    moved = layer(shift_image(x, down, right))
    want = shift_image(layer(x), down // stride, right // stride)
    h, w = want.shape[2:]
    crop = (slice(None), slice(margin, h - margin), slice(margin, w - margin))
    errors = []
    for got, ref in zip(moved, want):
        a, b = np.abs(got[crop] - ref[crop]).max(), np.abs(ref[crop]).max()
        errors.append(0.0 if a == 0 else np.inf if b == 0 else a / b)
    return float(max(errors))
