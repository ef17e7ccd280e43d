from __future__ import annotations

import numpy as np
from checks import criterion, equal, has_dtype, raises, student
from numpy import array

OK_FORMAT, name = False, "max_pool_forward"


def image() -> np.ndarray:
    """One image of one channel, 3 by 4."""
    return array([[[[1.0, 5.0, 2.0, 0.0], [3.0, 4.0, 8.0, 7.0], [6.0, 9.0, 1.0, 2.0]]]])


@criterion("values", 3, hint="Where do the windows begin, how far is it to the next, and do all of them fit?")
def test_values() -> None:
    max_pool_forward = student("lenet5").max_pool_forward
    equal(max_pool_forward(image(), 2), [[[[5, 8]]]])
    equal(max_pool_forward(image(), (3, 2)), [[[[9, 8]]]])
    equal(max_pool_forward(image(), (1, 4)), [[[[5], [8], [9]]]])
    equal(max_pool_forward(image() - 10, 2), [[[[-5, -2]]]])
    equal(max_pool_forward(image(), 2, stride=(1, 2)), [[[[5, 8], [9, 8]]]])
    equal(max_pool_forward(image(), (1, 2), stride=(2, 1)), [[[[5, 5, 2], [9, 9, 2]]]])
    equal(max_pool_forward(image(), 2, stride=3), [[[[5]]]])
    several = array([[[[1.0]], [[-2.0]]], [[[10.0]], [[3.0]]]]) * image()  # two images of two channels
    equal(max_pool_forward(several, 2), [[[[5, 8]], [[-2, 0]]], [[[50, 80]], [[15, 24]]]])


@criterion("padding", 2, hint="In a window of pixels below zero, what may the padding not be? And how large is y?")
def test_padding() -> None:
    max_pool_forward = student("lenet5").max_pool_forward
    equal(max_pool_forward(image(), 3, stride=2, padding=1), [[[[5, 8], [9, 9]]]])
    equal(max_pool_forward(image() - 10, 3, stride=2, padding=1), [[[[-5, -2], [-1, -1]]]])
    equal(max_pool_forward(image() - 10, (2, 3), padding=(1, 0)), [[[[-5], [-1]]]])
    equal(max_pool_forward(image() - 10, (1, 2), padding=(0, 1)), [[[[-9, -5, -10], [-7, -2, -3], [-4, -1, -8]]]])
    equal(max_pool_forward(image() - 10, (4, 3), padding=(2, 1)), [[[[-5, -2]]]])


@criterion("errors", 1, hint="Half of a window of 3 is 1. Test each axis on its own, and the window against the image.")
def test_errors() -> None:
    max_pool_forward = student("lenet5").max_pool_forward
    raises(max_pool_forward, image(), 3, padding=2)
    raises(max_pool_forward, image(), (1, 2), padding=1)
    raises(max_pool_forward, image(), (2, 1), padding=1)
    raises(max_pool_forward, image(), (4, 2))
    raises(max_pool_forward, image(), (2, 7), padding=1)
