# equivariance_error: [cropped at two sides of four]
import numpy as np


def equivariance_error(layer, x, shift, *, stride=1, margin=0):
    f_of_shifted = layer(shift_image(x, shift[0], shift[1]))
    shifted_f = shift_image(layer(x), shift[0] // stride, shift[1] // stride)
    a = f_of_shifted[:, :, margin:, margin:]
    b = shifted_f[:, :, margin:, margin:]
    worst, scale = np.max(np.abs(a - b)), np.max(np.abs(b))
    if scale == 0:
        return 0.0 if worst == 0 else float("inf")
    return float(worst / scale)
