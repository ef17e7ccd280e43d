from __future__ import annotations

from checks import criterion, equal, student
from numpy import array

OK_FORMAT, name = False, "softmax_jacobian"


@criterion("values", 3, hint="Raise one score: what happens to its own weight, and what to the others? They sum to 1.")
def test_values() -> None:
    softmax_jacobian = student("attention").softmax_jacobian
    equal(softmax_jacobian(array([0.25, 0.75])), array([[3, -3], [-3, 3]]) / 16)
    equal(softmax_jacobian(array([0.5, 0.125, 0.375])), array([[16, -4, -12], [-4, 7, -3], [-12, -3, 15]]) / 64)
    equal(softmax_jacobian(array([0.0, 1.0, 0.0])), [[0, 0, 0], [0, 0, 0], [0, 0, 0]])
    equal(softmax_jacobian(array([1.0])), [[0]])
