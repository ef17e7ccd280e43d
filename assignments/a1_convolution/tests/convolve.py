from __future__ import annotations

from checks import criterion, equal, raises, student
from numpy import array

OK_FORMAT, name = False, "convolve"


@criterion("values", 3, hint="Write the sum out by hand for i = 0, 1, 2: which products exist? How many i are there?")
def test_values() -> None:
    convolve = student("convolution").convolve
    equal(convolve(array([1.0, 2.0]), array([3.0, 4.0])), [3, 10, 8])
    equal(convolve(array([1.0, 2.0, 3.0, 4.0]), array([1.0, 0.5, -1.0])), [1, 2.5, 3, 3.5, -1, -4])
    equal(convolve(array([2.0, -1.0]), array([1.0, 3.0, 0.0, 5.0])), [2, 5, -3, 10, -5])
    equal(convolve(array([7.0]), array([0.5, -2.0, 4.0])), [3.5, -14, 28])
    equal(convolve(array([0.0, 0.0, 1.0]), array([5.0, 6.0, 8.0, 9.0])), [0, 0, 5, 6, 8, 9])


@criterion("errors", 1, hint="A signal without samples has no convolution: check before computing.")
def test_errors() -> None:
    convolve = student("convolution").convolve
    raises(convolve, array([]), array([1.0, 2.0]))
    raises(convolve, array([1.0, 2.0, 3.0]), array([]))
