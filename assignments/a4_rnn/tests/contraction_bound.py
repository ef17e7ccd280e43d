from __future__ import annotations

import math

from checks import criterion, equal, student
from numpy import array

OK_FORMAT, name = False, "contraction_bound"


@criterion("values", 2, hint="Where is each activation steepest? How long can V make a vector of length 1?")
def test_values() -> None:
    contraction_bound = student("rnn").contraction_bound
    V = array([[0.0, 4.0], [1.0, 0.0]])
    for activation, want in (("sigmoid", 1), ("tanh", 4), ("linear", 4)):
        equal(contraction_bound(V, activation), want, what=f"The bound for {activation}")
    V = array([[0.5, 10.0], [0.0, 0.5]])  # its singular values have the product 1/4, and their squares the sum 100.5
    for activation, want in (("sigmoid", (10 + math.sqrt(101)) / 8), ("tanh", (10 + math.sqrt(101)) / 2)):
        equal(contraction_bound(V, activation), want, what=f"The bound for {activation}")
