from __future__ import annotations

import math

from checks import criterion, equal, student, unpack
from numpy import array, ndarray

OK_FORMAT, name = False, "zigzag_descent"


def descend(x: ndarray, y: ndarray, w0: ndarray, lr: float, steps: int) -> tuple[ndarray, float]:
    """The path and its ratio."""
    path, ratio = unpack(student("activations").zigzag_descent(x, y, w0, lr=lr, steps=steps), "path", "ratio")
    return path, ratio


def apart() -> tuple[ndarray, ndarray]:
    """x and y of a loss in which the weights do not meet: w[0] ** 2 + w[1] ** 2 / 4."""
    return array([[2.0, 0.0], [0.0, 1.0]]), array([0.0, 0.0])


def together() -> tuple[ndarray, ndarray, ndarray]:
    """x, y and w0 of a loss in which the weights meet."""
    return array([[1.0, 1.0], [1.0, 2.0]]), array([2.0, 3.0]), array([0.0, 0.0])


@criterion(
    "path",
    2,
    hint="Write the first step out. What do 1/2, the square and the mean leave in front? Where is each gradient taken?",
)
def test_path() -> None:
    equal(descend(*apart(), array([3.0, 4.0]), 0.5, 2)[0], [[3, 4], [0, 3], [0, 2.25]], what="The path")
    equal(descend(*apart(), array([4.0, 8.0]), 0.75, 2)[0], [[4, 8], [-2, 5], [1, 3.125]], what="The path")
    equal(descend(*together(), 0.2, 2)[0], [[0, 0], [0.5, 0.8], [0.66, 1.05]], what="The path")
    x = array([[1.0, 2.0], [3.0, 0.0], [-1.0, 1.0]])
    equal(descend(x, array([1.0, 2.0, 0.0]), array([1.0, 0.0]), 0.3, 1)[0], [[1, 0], [0.6, 0.1]], what="The path")
    equal(descend(*apart(), array([3.0, 4.0]), 0.5, 0)[0], [[3, 4]], what="The path without a step")


@criterion(
    "ratio",
    2,
    hint="Is the path right? Compare the way walked with the way as the crow flies, which may be none at all.",
)
def test_ratio() -> None:
    want = (math.hypot(3, 1) + 0.75) / math.hypot(3, 1.75)
    equal(descend(*apart(), array([3.0, 4.0]), 0.5, 2)[1], want, what="The ratio")
    want = (math.hypot(6, 3) + math.hypot(3, 1.875)) / math.hypot(3, 4.875)
    equal(descend(*apart(), array([4.0, 8.0]), 0.75, 2)[1], want, what="The ratio")
    equal(descend(*together(), 0.2, 1)[1], 1, what="The ratio after one step")
    equal(descend(*apart(), array([3.0, 4.0]), 0.5, 0)[1], math.inf, what="The ratio without a step")
    there_and_back = array([[2.0, 0.0], [0.0, 2.0]]), array([0.0, 0.0]), array([1.0, -3.0])
    equal(descend(*there_and_back, 1.0, 2)[1], math.inf, what="The ratio of a path that ends where it began")
