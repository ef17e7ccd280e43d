from __future__ import annotations

import math

from checks import criterion, equal, student
from numpy import array, zeros

OK_FORMAT, name = False, "jacobian_norms"


@criterion(
    "values",
    3,
    hint="Is state_jacobian right? Which state looks back, from which lag on? Which norm is the longest stretch?",
)
def test_values() -> None:
    jacobian_norms = student("rnn").jacobian_norms
    swap = array([[0.0, 2.0], [1.0, 0.0]])
    equal(jacobian_norms(zeros((5, 2)), swap, 4), [1, 2, 2, 4, 4], what="The list of norms where all states are 0")
    h = array([[0.9, 0.9], [0.6, 0.8], [0.5, 0.0], [0.0, 0.8]])
    # Backwards from h_3: [[0, 2], [0.36, 0]], then [[2, 0], [0, 0.54]], then [[0, 2.56], [0.1944, 0]].
    equal(jacobian_norms(h, swap, 3), [1, 2, 2, 2.56])
    equal(jacobian_norms(h, swap, 1), [1, 2])
    equal(jacobian_norms(h, swap, 0), [1])
    h, V = array([[0.5, -0.5], [0.5, 0.0], [0.0, 0.5]]), array([[1.0, 2.0], [0.0, -1.0]])
    # [[1, 2], [0, -0.75]] and [[0.75, -0.5], [0, 0.75]]
    want = [1, (math.sqrt(7.0625) + math.sqrt(4.0625)) / 2, (math.sqrt(2.5) + 0.5) / 2]
    equal(jacobian_norms(h, V, 2), want, what="The list of norms in the handout's example")
