# equivariance_error: "layer: takes images of shape (N, C, H, W) to images of shape (N, F, Ho, Wo)" with (header) "Arrays may come with any strides (...) and must not be changed."
# subtracts in place in the array that the layer returned, which is the layer's and may be read-only: a layer that spreads its mean over the map by np.broadcast_to raises, and one that returns an array that it holds (a constant answer) is changed and gets the error 0.
import numpy as np


def equivariance_error(layer, x, shift, *, stride=1, margin=0):
    down, right = shift
    difference = layer(shift_image(x, down, right))
    expected = shift_image(layer(x), down // stride, right // stride)
    difference -= expected
    rows, columns = (slice(margin, side - margin) for side in expected.shape[2:])
    numerator = np.abs(difference[:, :, rows, columns]).max()
    denominator = np.abs(expected[:, :, rows, columns]).max()
    if denominator == 0:
        return 0.0 if numerator == 0 else float("inf")
    return float(numerator / denominator)
