from __future__ import annotations

import numpy as np
from checks import criterion, equal, has_dtype, student
from numpy import array

OK_FORMAT, name = False, "shift_image"


def image() -> np.ndarray:
    return array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


@criterion("values", 2, hint="Follow the pixel 5. Down comes first, and what leaves on one side does not come back.")
def test_values() -> None:
    shift_image = student("lenet5").shift_image
    equal(shift_image(image(), 1, 0), [[0, 0, 0], [1, 2, 3]])
    equal(shift_image(image(), 0, 2), [[0, 0, 1], [0, 0, 4]])
    equal(shift_image(image(), -1, 1), [[0, 4, 5], [0, 0, 0]])
    equal(shift_image(image(), 1, -1), [[0, 0, 0], [2, 3, 0]])
    equal(shift_image(image(), 0, 0), image())
    for down, right in ((2, 0), (-2, 1), (0, 3), (1, -3), (7, 0), (0, -9)):
        equal(shift_image(image(), down, right), np.zeros((2, 3)), what=f"The image shifted by {(down, right)}")
    several = array([[[1.0]], [[10.0]]]) * image()
    equal(shift_image(several, 0, -1), [[[2, 3, 0], [5, 6, 0]], [[20, 30, 0], [50, 60, 0]]])
    equal(shift_image(several[None], 1, 1), [[[[0, 0, 0], [0, 1, 2]], [[0, 0, 0], [0, 10, 20]]]])


@criterion("dtype", 1, hint="Pixels only move. Which function makes zeros of the same kind?")
def test_dtype() -> None:
    shift_image = student("lenet5").shift_image
    for dtype in (np.uint8, np.float32, np.float64):
        has_dtype(shift_image(image().astype(dtype), 1, -1), dtype)
