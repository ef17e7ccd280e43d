from __future__ import annotations

from checks import criterion, equal, raises, student
from numpy import array

OK_FORMAT, name = False, "cross_correlate"


@criterion("values", 2, hint="Lay h, unturned, on the start of x: what is the sum? In how many places does h fit?")
def test_values() -> None:
    cross_correlate = student("convolution").cross_correlate
    equal(cross_correlate(array([2.0, 0.0, -1.0, 3.0, 5.0]), array([1.0, -2.0, 0.5])), [1.5, 3.5, -4.5])
    equal(cross_correlate(array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]), array([1.0, 2.0, 3.0])), [0, 3, 2, 1, 0])
    equal(cross_correlate(array([3.0, -1.0, 2.0]), array([0.5])), [1.5, -0.5, 1])
    equal(cross_correlate(array([1.0, 2.0, 3.0, 4.0]), array([5.0, -6.0, 7.0, 8.0])), [46])
    every_second = array([4.0, 9.0, 1.0, 9.0, 2.0, 9.0, 7.0])[::2]
    equal(cross_correlate(every_second, array([10.0, 1.0])), [41, 12, 27])


@criterion("errors", 1, hint="A template longer than the signal fits nowhere, and an empty answer would hide that.")
def test_errors() -> None:
    cross_correlate = student("convolution").cross_correlate
    raises(cross_correlate, array([1.0, 2.0]), array([1.0, 2.0, 3.0]))
    raises(cross_correlate, array([1.0]), array([1.0, 2.0, 3.0, 4.0, 5.0]))
