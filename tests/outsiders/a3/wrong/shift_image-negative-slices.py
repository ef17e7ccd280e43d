# shift_image: [negative shifts as Python slices]
import numpy as np


def _shift_image_rows(x, by):
    y = np.zeros_like(x)
    height = x.shape[-2]
    if by > 0:
        y[..., by:, :] = x[..., : max(height - by, 0), :]
    else:
        kept = x[..., by:, :]
        y[..., : kept.shape[-2], :] = kept
    return y


def shift_image(x, down, right):
    shifted = _shift_image_rows(x, down)
    return _shift_image_rows(shifted.swapaxes(-1, -2), right).swapaxes(-1, -2)
