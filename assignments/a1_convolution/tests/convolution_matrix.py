from __future__ import annotations

from checks import criterion, equal, student
from numpy import array

OK_FORMAT, name = False, "convolution_matrix"


@criterion(
    "values", 4, hint="An impulse at k brings out column k of a matrix: how long is it, and where in it does h begin?"
)
def test_values() -> None:
    convolution_matrix = student("convolution").convolution_matrix
    want = [[1, 0, 0, 0], [-2, 1, 0, 0], [0.5, -2, 1, 0], [0, 0.5, -2, 1], [0, 0, 0.5, -2], [0, 0, 0, 0.5]]
    equal(convolution_matrix(array([1.0, -2.0, 0.5]), 4), want)
    equal(convolution_matrix(array([3.0, 1.0, 4.0, 1.0, 5.0]), 2), [[3, 0], [1, 3], [4, 1], [1, 4], [5, 1], [0, 5]])
    equal(convolution_matrix(array([2.5]), 3), [[2.5, 0, 0], [0, 2.5, 0], [0, 0, 2.5]])
    equal(convolution_matrix(array([6.0, 0.0, -7.0]), 1), [[6], [0], [-7]])
