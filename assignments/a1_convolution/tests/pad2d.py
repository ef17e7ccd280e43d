from __future__ import annotations

import numpy as np
from checks import criterion, equal, raises, student

OK_FORMAT, name = False, "pad2d"


def image() -> np.ndarray:
    return np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


def batch() -> np.ndarray:
    """[[1, 2], [3, 4], [5, 6]] and the same plus 6, each with one channel."""
    return np.arange(1.0, 13.0).reshape(2, 1, 3, 2)


@criterion("zeros", 1, hint="Two numbers are (rows, columns); only the last two axes grow, each on both sides.")
def test_zeros() -> None:
    pad2d = student("convolution").pad2d
    want = [[0, 0, 0, 0, 0, 0, 0], [0, 0, 1, 2, 3, 0, 0], [0, 0, 4, 5, 6, 0, 0], [0, 0, 0, 0, 0, 0, 0]]
    equal(pad2d(image(), (1, 2)), want)
    equal(pad2d(image(), 1), [[0, 0, 0, 0, 0], [0, 1, 2, 3, 0], [0, 4, 5, 6, 0], [0, 0, 0, 0, 0]])
    first = [[0, 1, 2, 0], [0, 3, 4, 0], [0, 5, 6, 0]]
    second = [[0, 7, 8, 0], [0, 9, 10, 0], [0, 11, 12, 0]]
    equal(pad2d(batch(), (0, 1)), [[first], [second]])


@criterion("replicate", 1, hint="Each new pixel repeats the nearest pixel of the image; a corner repeats the corner.")
def test_replicate() -> None:
    pad2d = student("convolution").pad2d
    want = [[1, 1, 1, 2, 3, 3, 3], [1, 1, 1, 2, 3, 3, 3], [4, 4, 4, 5, 6, 6, 6], [4, 4, 4, 5, 6, 6, 6]]
    equal(pad2d(image(), (1, 2), "replicate"), want)
    first = [[1, 2], [1, 2], [3, 4], [5, 6], [5, 6]]
    second = [[7, 8], [7, 8], [9, 10], [11, 12], [11, 12]]
    equal(pad2d(batch(), (1, 0), mode="replicate"), [[first], [second]])


@criterion("reflect", 1, hint="The mirror stands on the border pixel: with 2 columns, a b c becomes c b a b c b a.")
def test_reflect() -> None:
    pad2d = student("convolution").pad2d
    want = [[6, 5, 4, 5, 6, 5, 4], [3, 2, 1, 2, 3, 2, 1], [6, 5, 4, 5, 6, 5, 4], [3, 2, 1, 2, 3, 2, 1]]
    equal(pad2d(image(), (1, 2), "reflect"), want)
    first = [[6, 5, 6, 5], [4, 3, 4, 3], [2, 1, 2, 1], [4, 3, 4, 3], [6, 5, 6, 5], [4, 3, 4, 3], [2, 1, 2, 1]]
    second = [[value + 6 for value in row] for row in first]
    equal(pad2d(batch(), (2, 1), mode="reflect"), [[first], [second]])


@criterion("errors", 1, hint="Reflecting needs more pixels than it adds, along each axis on its own.")
def test_errors() -> None:
    pad2d = student("convolution").pad2d
    raises(pad2d, image(), (2, 1), "reflect")
    raises(pad2d, image(), (1, 3), "reflect")
