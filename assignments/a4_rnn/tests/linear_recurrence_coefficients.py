from __future__ import annotations

from checks import criterion, equal, student
from numpy import array

OK_FORMAT, name = False, "linear_recurrence_coefficients"


@criterion("values", 5, hint="Write h_3 out by substitution. How often has x_1 been through V, and how often x_3?")
def test_values() -> None:
    coefficients = student("rnn").linear_recurrence_coefficients
    U, V = array([[1.0, 0.0, 2.0], [0.0, 1.0, -1.0]]), array([[1.0, 2.0], [0.0, 3.0]])
    once, twice = [[1, 2, 0], [0, 3, -3]], [[1, 8, -6], [0, 9, -9]]
    equal(coefficients(U, V, 3), [twice, once, U])
    equal(coefficients(U, V, 1), [U], what="The only coefficient of h_1")
    U, V = array([[1.0], [-2.0]]), array([[0.0, 1.0], [-1.0, 0.0]])  # a quarter turn
    equal(coefficients(U, V, 5), [[[1], [-2]], [[2], [1]], [[-1], [2]], [[-2], [-1]], [[1], [-2]]])
    U, V = array([[1.0, 1.0], [0.0, 2.0]]), array([[0.0, 1.0], [2.0, 0.0]])  # everything is square
    equal(coefficients(U, V, 2), [[[0, 2], [2, 2]], [[1, 1], [0, 2]]])
