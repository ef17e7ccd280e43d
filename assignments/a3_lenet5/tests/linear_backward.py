from __future__ import annotations

from typing import Any

import numpy as np
from checks import criterion, equal, student, unpack
from numpy import array

OK_FORMAT, name = False, "linear_backward"

Arrays = tuple[np.ndarray, np.ndarray, np.ndarray]


def wide() -> Arrays:
    """dy, x and w of a layer from four to two, on three vectors."""
    x = array([[1.0, 2.0, 3.0, 0.0], [0.0, -1.0, 4.0, 2.0], [2.0, 2.0, 0.0, 1.0]])
    return array([[1.0, 2.0], [3.0, -1.0], [0.0, 1.0]]), x, array([[1.0, 0.0, 2.0, -1.0], [3.0, -1.0, 1.0, 2.0]])


def square() -> Arrays:
    """The same with two of everything, where a transposed matrix fits as well."""
    return array([[1.0, 2.0], [3.0, 4.0]]), array([[5.0, 6.0], [7.0, 8.0]]), array([[1.0, -1.0], [2.0, 0.0]])


def gradients(*args: np.ndarray) -> dict[str, Any]:
    names = ("dx", "dw", "db")
    return dict(zip(names, unpack(student("lenet5").linear_backward(*args), *names), strict=True))


@criterion("dx", 2, hint="Which outputs does one input of one vector take part in, and with which weight?")
def test_dx() -> None:
    equal(gradients(*wide())["dx"], [[7, -2, 4, 3], [0, 1, 5, -5], [3, -1, 1, 2]], what="dx")
    equal(gradients(*square())["dx"], [[5, -1], [11, -3]], what="dx")


@criterion("dw", 2, hint="One weight joins one input with one output, in every vector of the batch.")
def test_dw() -> None:
    equal(gradients(*wide())["dw"], [[1, -1, 15, 6], [4, 7, 2, -1]], what="dw")
    equal(gradients(*square())["dw"], [[26, 30], [38, 44]], what="dw")


@criterion("db", 1, hint="The bias of an output is added once for each vector of the batch.")
def test_db() -> None:
    equal(gradients(*wide())["db"], [4, 2], what="db")
    equal(gradients(*square())["db"], [4, 6], what="db")
