from __future__ import annotations

import numpy as np
from checks import criterion, equal, has_dtype, student
from numpy import array

OK_FORMAT, name = False, "correlate2d"


def image() -> np.ndarray:
    return array([[1.0, 2.0, 0.0, 3.0], [0.0, 1.0, 4.0, 1.0], [2.0, 0.0, 1.0, 5.0]])


@criterion(
    "values",
    3,
    hint="Lay the kernel, unturned, on the top left corner: which sum? Where does it lie last? In which dtype?",
)
def test_values() -> None:
    correlate2d = student("convolution").correlate2d
    equal(correlate2d(image(), array([[1.0, 0.0, -1.0], [2.0, 3.0, 0.0]])), [[4, 13], [0, 3]])
    equal(correlate2d(image(), array([[0.0, 1.0]])), [[2, 0, 3], [1, 4, 1], [0, 1, 5]])
    equal(correlate2d(image(), array([[1.0], [0.5], [-2.0]])), [[-3, 2.5, 0, -6.5]])
    equal(correlate2d(image(), image()), [[62]])
    equal(correlate2d(image().T, array([[1.0, 0.0, -1.0], [2.0, 3.0, 0.0]]).T), [[4, 0], [13, 3]])
