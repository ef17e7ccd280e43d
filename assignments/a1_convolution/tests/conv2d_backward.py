from __future__ import annotations

from typing import Any

import numpy as np
from checks import criterion, equal, integers, student, unpack
from numpy import array

OK_FORMAT, name = False, "conv2d_backward"

Arrays = tuple[np.ndarray, np.ndarray, np.ndarray]
OPTIONS = {"stride": (2, 3), "padding": (1, 2)}


def on_paper() -> Arrays:
    """dy, x and w of one image of one channel and one filter."""
    x = array([[[[1.0, 2.0, 0.0], [0.0, 1.0, 3.0]]]])
    return array([[[[1.0, 10.0]]]]), x, array([[[[1.0, -1.0], [2.0, 0.0]]]])


def on_paper_strided() -> Arrays:
    """A larger image, of which a stride of (2, 3) leaves a row and a column over."""
    _, _, w = on_paper()
    return array([[[[5.0]]]]), np.arange(1.0, 13.0).reshape(1, 1, 3, 4), w


def many() -> Arrays:
    """Two images of three channels, 3 by 5, and four filters of 2 by 3."""
    return integers(2, 4, 2, 3), integers(2, 3, 3, 5), integers(4, 3, 2, 3)


def many_strided() -> Arrays:
    """Two images of two channels, 4 by 5, and three filters of 3 by 2, under OPTIONS."""
    return integers(2, 3, 2, 3), integers(2, 2, 4, 5), integers(3, 2, 3, 2)


def gradients(*args: np.ndarray, **options: Any) -> dict[str, Any]:
    names = ("dx", "dw", "db")
    return dict(zip(names, unpack(student("convolution").conv2d_backward(*args, **options), *names), strict=True))


@criterion("dx", 3, hint="Which outputs does one pixel take part in, each time with which weight? They add up.")
def test_dx() -> None:
    equal(gradients(*on_paper())["dx"], [[[[1, 9, -10], [2, 20, 0]]]], what="dx")
    want = [  # a line for each of 2 images and 3 channels
        [15, -19, 20, -19, 24, 17, 4, -2, -34, -3, -12, -17, 5, -14, 10],
        [-6, -12, 21, 16, -10, 10, -21, -18, 41, -2, 3, 1, -25, -20, -7],
        [-2, 2, 14, -41, -15, 0, -25, 9, 21, 25, -6, -13, -11, -18, 8],
        [-3, -8, -20, 39, -22, -2, 17, -87, 64, -4, 6, 14, -32, 9, 30],
        [0, 28, -2, 31, -15, -10, 29, 21, 4, -24, -4, -10, 4, -3, -10],
        [7, 35, 0, -16, 14, 10, 40, 12, -2, 1, -4, -4, -16, 15, 12],
    ]
    equal(gradients(*many())["dx"], array(want).reshape(2, 3, 3, 5), what="dx")


@criterion(
    "dw",
    2,
    hint="Which pixels does one weight meet, for which outputs? In all windows and images they add up, no mean.",
)
def test_dw() -> None:
    equal(gradients(*on_paper())["dw"], [[[[21, 2], [10, 31]]]], what="dw")
    want = [  # a line for each of 4 filters
        [28, 5, -31, -27, 46, -10, -14, 21, -4, 17, -13, -31, 28, -64, 13, 63, -70, 39],
        [-9, 3, 9, 33, 2, -20, 7, -25, -46, 16, -33, -24, 14, -32, -8, 15, 25, 7],
        [-6, -32, 5, 15, 37, -33, -11, 7, -25, -3, -5, 18, -11, 5, 18, 34, -12, 31],
        [22, -26, -2, -13, -29, 5, -21, 0, 18, -20, -18, 23, -34, 17, -26, -15, -2, -43],
    ]
    equal(gradients(*many())["dw"], array(want).reshape(4, 3, 2, 3), what="dw")


@criterion("db", 1, hint="The bias of a filter is added once to each output of that filter, in every image.")
def test_db() -> None:
    equal(gradients(*on_paper())["db"], [11], what="db")
    equal(gradients(*many())["db"], [8, 3, -1, 7], what="db")


@criterion("dx_strided", 3, hint="Where does each window begin in the padded image? Padding is no part of x.")
def test_dx_strided() -> None:
    want = [[[[5, -5, 0, 0], [10, 0, 0, 0], [0, 0, 0, 0]]]]
    equal(gradients(*on_paper_strided(), stride=(2, 3))["dx"], want, what="dx")
    want = [  # a line for each of 2 images and 2 channels
        [0, 6, -2, 0, 24, 0, -16, 5, 0, -17, 0, -24, -6, 0, -12, 0, 14, 2, 0, 7],
        [0, -3, 5, 0, -6, 0, -12, 7, 0, 21, 0, -6, -22, 0, -3, 0, -4, -18, 0, -2],
        [0, 16, 23, 0, -16, 0, 12, -7, 0, -4, 0, 14, 16, 0, -4, 0, -4, 3, 0, 1],
        [0, -18, 5, 0, 21, 0, 24, 3, 0, -27, 0, -9, 7, 0, 3, 0, 14, 3, 0, -14],
    ]
    equal(gradients(*many_strided(), **OPTIONS)["dx"], array(want).reshape(2, 2, 4, 5), what="dx")


@criterion("dw_strided", 2, hint="The weights meet the padded image, at the places where the strided windows lie.")
def test_dw_strided() -> None:
    equal(gradients(*on_paper_strided(), stride=(2, 3))["dw"], [[[[5, 10], [25, 30]]]], what="dw")
    want = [  # a line for each of 3 filters
        [-19, -2, -3, -12, 1, 14, 8, 14, -10, -8, 13, 23],
        [-4, -16, 17, -7, -4, 9, -21, -13, -19, 15, -2, 30],
        [3, 2, 10, -26, 27, 22, -8, -14, 16, -20, 18, 0],
    ]
    equal(gradients(*many_strided(), **OPTIONS)["dw"], array(want).reshape(3, 2, 3, 2), what="dw")
