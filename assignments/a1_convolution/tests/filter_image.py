from __future__ import annotations

import numpy as np
from checks import criterion, equal, has_dtype, raises, student
from numpy import array, ones

OK_FORMAT, name = False, "filter_image"


def image() -> np.ndarray:
    return array([[10, 20, 30, 40], [50, 60, 70, 80], [90, 100, 110, 250]], np.uint8)


def right() -> np.ndarray:
    """The kernel that fetches each pixel's right neighbour."""
    return array([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]])


@criterion(
    "grey",
    2,
    hint="Half the kernel on each side, in the mode asked for; unturned. When do responses become uint8, and how?",
)
def test_grey() -> None:
    filter_image = student("convolution").filter_image
    equal(filter_image(image(), right()), [[20, 30, 40, 40], [60, 70, 80, 80], [100, 110, 250, 250]])
    equal(filter_image(image(), right(), mode="zeros"), [[20, 30, 40, 0], [60, 70, 80, 0], [100, 110, 250, 0]])
    equal(filter_image(image(), right(), mode="reflect"), [[20, 30, 40, 30], [60, 70, 80, 70], [100, 110, 250, 110]])
    equal(filter_image(image(), array([[0.3, 0.7, 0.0]])), [[10, 17, 27, 37], [50, 57, 67, 77], [90, 97, 107, 208]])
    equal(filter_image(image(), ones((3, 1)) / 3), [[23, 33, 43, 53], [50, 60, 70, 123], [77, 87, 97, 193]])


@criterion(
    "colour", 1, hint="Is a gray image right? Each channel is one of its own; the channels stay on the last axis."
)
def test_colour() -> None:
    filter_image = student("convolution").filter_image
    photograph = np.stack([image(), 2 * (image() // 4), 255 - image()], axis=2)
    red = [[20, 30, 40, 40], [60, 70, 80, 80], [100, 110, 250, 250]]
    green = [[10, 14, 20, 20], [30, 34, 40, 40], [50, 54, 124, 124]]
    blue = [[235, 225, 215, 215], [195, 185, 175, 175], [155, 145, 5, 5]]
    equal(filter_image(photograph, right()), np.stack([red, green, blue], axis=2))


@criterion(
    "range", 1, hint="What may a response be, and what must happen to it before it is uint8? There 300 would be 44."
)
def test_range() -> None:
    filter_image = student("convolution").filter_image
    bright = [[30, 60, 90, 120], [150, 180, 210, 240], [255, 255, 255, 255]]
    sharp = [[14, 38, 52, 66], [70, 94, 108, 122], [126, 150, 164, 255]]
    for weights, want in (([3.0], bright), ([0.0, 1.0, -1.0], np.zeros((3, 4))), ([-1.0, 2.4, 0.0], sharp)):
        got = filter_image(image(), array([weights]))
        equal(got, want, what=f"With the kernel {[weights]}, the image")
        has_dtype(got, np.uint8)


@criterion("errors", 1, hint="A kernel with an even side has no centre, whichever side it is.")
def test_errors() -> None:
    filter_image = student("convolution").filter_image
    raises(filter_image, image(), ones((2, 3)))
    raises(filter_image, image(), ones((1, 2)))
