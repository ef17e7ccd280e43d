from __future__ import annotations

from checks import criterion, equal, student
from numpy import array

OK_FORMAT, name = False, "spectral_radius"


@criterion("values", 1, hint="The eigenvalues of a triangular matrix stand on its diagonal. Those of a rotation?")
def test_values() -> None:
    spectral_radius = student("rnn").spectral_radius
    equal(spectral_radius(array([[0.5, 10.0], [0.0, 0.25]])), 0.5)
    equal(spectral_radius(array([[-3.0, 0.0], [1.0, 2.0]])), 3)
    equal(spectral_radius(array([[0.0, -2.0], [2.0, 0.0]])), 2, what="The radius of a quarter turn, doubled,")
    equal(spectral_radius(array([[0.0, 4.0], [1.0, 0.0]])), 2)
    equal(spectral_radius(array([[3.0, -4.0, 7.0], [4.0, 3.0, 7.0], [0.0, 0.0, 1.0]])), 5)
