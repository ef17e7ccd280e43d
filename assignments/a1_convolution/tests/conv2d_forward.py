from __future__ import annotations

import numpy as np
from checks import criterion, equal, has_dtype, integers, raises, student
from numpy import array

OK_FORMAT, name = False, "conv2d_forward"

Layer = tuple[np.ndarray, np.ndarray, np.ndarray]


def on_paper() -> Layer:
    """One image of one channel and one filter."""
    return array([[[[1.0, 2.0, 0.0], [0.0, 1.0, 3.0]]]]), array([[[[1.0, -1.0], [2.0, 0.0]]]]), array([10.0])


def wide() -> Layer:
    """Two images of two channels, 4 by 5, and three filters of 3 by 2."""
    return integers(2, 2, 4, 5), integers(3, 2, 3, 2), array([1.0, -2.0, 0.5])


@criterion("values", 3, hint="Begin with y[0, 0, 0, 0]: which pixels, of which channels, meet which weights?")
def test_values() -> None:
    conv2d_forward = student("convolution").conv2d_forward
    equal(conv2d_forward(*on_paper()), [[[[9, 14]]]])
    x, w, b = integers(2, 3, 3, 5), integers(4, 3, 2, 3), array([1.0, -2.0, 0.5, 3.0])
    want = [  # a line for each of 2 images and 4 filters
        [23, -30, -25, 3, -6, 16],
        [37, -18, -1, 2, 28, 1],
        [-51.5, 34.5, 13.5, 23.5, -30.5, -8.5],
        [7, -20, -14, 46, 43, -32],
        [6, -12, 24, -8, -40, 22],
        [1, 5, -71, -39, 38, -21],
        [-1.5, -28.5, 45.5, 9.5, -16.5, 8.5],
        [62, -9, -74, 30, -41, 34],
    ]
    equal(conv2d_forward(x, w, b), array(want).reshape(2, 4, 2, 3))


@criterion("stride", 2, hint="(sh, sw) moves the window down by sh and right by sw; one that does not fit is left out.")
def test_stride() -> None:
    conv2d_forward = student("convolution").conv2d_forward
    want = [[-11, 13], [29, 10], [29.5, -1.5], [-12, 3], [-15, 6], [28.5, 1.5]]
    equal(conv2d_forward(*wide(), stride=2), array(want).reshape(2, 3, 1, 2))
    want = [[-11, 31, 4, -42], [29, -3, 28, 5], [29.5, 10.5, -7.5, 35.5]]
    want += [[-12, 31, 18, 0], [-15, -4, 4, -21], [28.5, -15.5, 0.5, 3.5]]
    equal(conv2d_forward(*wide(), stride=(1, 3)), array(want).reshape(2, 3, 2, 2))


@criterion("padding", 2, hint="(ph, pw) adds zeros on all four sides; the bias is added there as everywhere.")
def test_padding() -> None:
    conv2d_forward = student("convolution").conv2d_forward
    equal(conv2d_forward(*on_paper(), padding=1), [[[[10, 12, 14, 10], [9, 9, 14, 16], [10, 9, 8, 13]]]])
    want = [[1, -18, -21, 1, 29, 0], [-2, 18, 16, -2, -10, 6], [0.5, 5.5, 3.5, 0.5, 0.5, -2.5]]
    want += [[1, 41, -11, 1, 4, 33], [-2, -29, 14, -2, 20, -28], [0.5, -28.5, 2.5, 0.5, -28.5, -19.5]]
    equal(conv2d_forward(*wide(), stride=(2, 3), padding=(1, 2)), array(want).reshape(2, 3, 2, 3))


@criterion("errors", 1, hint="Compare the channels of x and w, and the window with the padded image, first.")
def test_errors() -> None:
    conv2d_forward = student("convolution").conv2d_forward
    raises(conv2d_forward, integers(2, 1, 4, 5), integers(3, 2, 3, 2), array([1.0, 2.0, 3.0]))
    x, _, b = on_paper()
    raises(conv2d_forward, x, integers(1, 1, 3, 2), b)
    raises(conv2d_forward, x, integers(1, 1, 2, 6), b, padding=(2, 1))
