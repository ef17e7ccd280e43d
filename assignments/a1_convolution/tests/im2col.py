from __future__ import annotations

import numpy as np
from checks import criterion, equal, student
from numpy import array

OK_FORMAT, name = False, "im2col"


def labelled(*shape: int) -> np.ndarray:
    """Pixels that say where they are: 2314 is image 2, channel 3, row 1, column 4, all counted from 1."""
    return 1111.0 + np.tensordot([1000, 100, 10, 1], np.indices(shape), 1)


@criterion("values", 3, hint="The digits say where a pixel was. Down a column lies one window: c, then u, then v.")
def test_values() -> None:
    im2col = student("convolution").im2col
    x = array([[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]])
    equal(im2col(x, 2), [[[1, 2], [2, 3], [4, 5], [5, 6]]])
    equal(im2col(x, (2, 3)), [[[1], [2], [3], [4], [5], [6]]])
    first_pixels, steps = [1111, 1112, 1121, 1122], [0, 1, 2, 10, 11, 12]  # of the windows, and within each
    image = np.add.outer([*steps, *(100 + step for step in steps)], first_pixels)
    equal(im2col(labelled(3, 2, 3, 4), (2, 3)), [image, image + 1000, image + 2000])


@criterion("strided", 2, hint="Where in the padded image does the first window begin, and where do the next ones?")
def test_strided() -> None:
    im2col = student("convolution").im2col
    x = array([[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]])
    want = [[0, 0, 1, 2, 4, 5], [0, 0, 2, 3, 5, 6], [1, 2, 4, 5, 0, 0], [2, 3, 5, 6, 0, 0]]
    equal(im2col(x, 2, padding=(1, 0)), [want])
    equal(im2col(x, 2, padding=(0, 1)), [[[0, 1, 2, 3], [1, 2, 3, 0], [0, 4, 5, 6], [4, 5, 6, 0]]])
    cols = array([[0, 0], [0, 0], [0, 2], [0, 3], [0, 5], [0, 6]])
    several = array([[[[1.0]], [[-2.0]]], [[[10.0]], [[3.0]]]]) * x  # two images of two channels
    want = [np.concatenate([cols, -2 * cols]), np.concatenate([10 * cols, 3 * cols])]
    equal(im2col(several, (3, 2), stride=(2, 3), padding=(1, 2)), want)
    first_pixels, steps = [1111, 1114, 1131, 1134], [0, 1, 10, 11, 20, 21]
    image = np.add.outer([*steps, *(100 + step for step in steps)], first_pixels)
    equal(im2col(labelled(2, 2, 6, 7), (3, 2), stride=(2, 3)), [image, image + 1000])
