from __future__ import annotations

from checks import criterion, equal, student
from numpy import array

OK_FORMAT, name = False, "min_pool_zero_fraction"


@criterion("values", 2, hint="Write the image down after ReLU, then the smallest value of each window, then count.")
def test_values() -> None:
    min_pool_zero_fraction = student("lenet5").min_pool_zero_fraction
    x = array([[[[1.0, 2.0, -1.0, 3.0, -9.0], [4.0, 5.0, 6.0, 7.0, -9.0], [-9.0, -9.0, -9.0, -9.0, -9.0]]]])
    equal(min_pool_zero_fraction(x, 2), 1 / 2)
    equal(min_pool_zero_fraction(x, (2, 1)), 2 / 5)
    equal(min_pool_zero_fraction(x, (1, 2)), 3 / 6)
    equal(min_pool_zero_fraction(x[:, :, :2, :2], 2), 0)
    equal(min_pool_zero_fraction(-abs(x), 2), 1)
    equal(min_pool_zero_fraction(array([[[[0.0, 2.0, 3.0, 4.0]]]]), (1, 2)), 1 / 2)
    several = array([[[[1.0, 2.0]], [[-1.0, 2.0]], [[1.0, -2.0]]], [[[-1.0, -2.0]], [[3.0, 4.0]], [[5.0, 6.0]]]])
    equal(min_pool_zero_fraction(several, (1, 2)), 3 / 6)
    equal(min_pool_zero_fraction(several, 1), 4 / 12)
