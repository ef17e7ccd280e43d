from __future__ import annotations

import numpy as np
from checks import criterion, equal, student
from numpy import array

OK_FORMAT, name = False, "avg_pool_forward"


def image() -> np.ndarray:
    """One image of one channel, 3 by 4."""
    return array([[[[1.0, 5.0, 2.0, 0.0], [3.0, 3.0, 8.0, 6.0], [8.0, 4.0, 1.0, 1.0]]]])


@criterion("values", 3, hint="The windows are those of max pooling. How many pixels does one hold?")
def test_values() -> None:
    avg_pool_forward = student("lenet5").avg_pool_forward
    equal(avg_pool_forward(image(), 2), [[[[3, 4]]]])
    equal(avg_pool_forward(image(), (3, 2)), [[[[4, 3]]]])
    equal(avg_pool_forward(image(), (1, 4)), [[[[2], [5], [3.5]]]])
    equal(avg_pool_forward(image(), 2, stride=(1, 2)), [[[[3, 4], [4.5, 4]]]])
    equal(avg_pool_forward(image(), (1, 2), stride=(2, 1)), [[[[3, 3.5, 1], [6, 2.5, 1]]]])
    equal(avg_pool_forward(image(), 2, stride=3), [[[[3]]]])
    several = array([[[[1.0]], [[-2.0]]], [[[10.0]], [[3.0]]]]) * image()  # two images of two channels
    equal(avg_pool_forward(several, 2), [[[[3, 4]], [[-6, -8]]], [[[30, 40]], [[9, 12]]]])
