from __future__ import annotations

from checks import criterion, equal, raises, student
from numpy import array, zeros

OK_FORMAT, name = False, "scale_to_radius"


@criterion("values", 1, hint="If V is multiplied by a number, what happens to its eigenvalues?")
def test_values() -> None:
    scale_to_radius = student("rnn").scale_to_radius
    equal(scale_to_radius(array([[0.0, 4.0], [1.0, 0.0]]), 1.0), [[0, 2], [0.5, 0]])
    equal(scale_to_radius(array([[0.5, 10.0], [0.0, -0.25]]), 2.0), [[2, 40], [0, -1]])
    equal(scale_to_radius(array([[0.0, -2.0], [2.0, 0.0]]), 0.5), [[0, -0.5], [0.5, 0]])


@criterion("errors", 1, hint="Which eigenvalues has a triangular matrix with zeros on its diagonal?")
def test_errors() -> None:
    scale_to_radius = student("rnn").scale_to_radius
    raises(scale_to_radius, array([[0.0, 5.0], [0.0, 0.0]]), 0.9)
    raises(scale_to_radius, zeros((3, 3)), 1.0)
