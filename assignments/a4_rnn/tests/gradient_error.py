from __future__ import annotations

from checks import criterion, equal, student
from numpy import array, zeros

OK_FORMAT, name = False, "gradient_error"


@criterion("values", 1, hint="One largest difference, one largest entry: of which of the two gradients?")
def test_values() -> None:
    gradient_error = student("rnn").gradient_error
    a, b = array([[1.0, -2.0], [4.0, 3.0]]), array([[1.0, -3.0], [4.0, 5.0]])
    for scale in (1, 1e-12, 1e12):
        equal(gradient_error(scale * a, scale * b), 0.4, what=f"The error, both times {scale:g},")
        equal(gradient_error(scale * b, scale * a), 0.4, what=f"The error the other way round, both times {scale:g},")
    equal(gradient_error(a, -a), 2, what="The error against the negative gradient")
    equal(gradient_error(array([100.0, 1e-9]), array([100.0, -1e-9])), 2e-11, what="The error in a small entry")
    equal(gradient_error(array([3.0]), array([0.0])), 1, what="The error against 0")


@criterion("zeros", 1, hint="Can two gradients of zeros differ? What would the formula divide by?")
def test_zeros() -> None:
    gradient_error = student("rnn").gradient_error
    equal(gradient_error(zeros((2, 3)), zeros((2, 3))), 0)
    equal(gradient_error(array([0.0, 1e-300]), zeros(2)), 1)
