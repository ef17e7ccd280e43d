from __future__ import annotations

from checks import criterion, equal, raises, student
from numpy import array

OK_FORMAT, name = False, "state_jacobian"

H = array([[0.5, -0.5], [0.5, 0.0], [0.0, 0.5], [0.6, -0.8]])  # h_0, ..., h_3: the handout's example, a step longer
V = array([[1.0, 2.0], [0.0, -1.0]])


@criterion(
    "values",
    6,
    hint="One step: how does h_t[i] move with h_(t-1)[j], the slope at which state? Then: which step acts first?",
)
def test_values() -> None:
    state_jacobian = student("rnn").state_jacobian
    equal(state_jacobian(H, V, 2, 1), [[1, 2], [0, -0.75]], what="The Jacobian of h_2 with respect to h_1")
    equal(state_jacobian(H, V, 1, 1), [[0.75, 1.5], [0, -1]], what="The Jacobian of h_1 with respect to h_0")
    equal(state_jacobian(H, V, 2, 2), [[0.75, -0.5], [0, 0.75]], what="The Jacobian of h_2 with respect to h_0")
    equal(state_jacobian(H, V, 3, 2), [[0.64, 0.32], [0, 0.27]], what="The Jacobian of h_3 with respect to h_1")
    equal(state_jacobian(H, V, 3, 3), [[0.48, 0.64], [0, -0.27]], what="The Jacobian of h_3 with respect to h_0")
    for t in (0, 2, 3):
        equal(state_jacobian(H, V, t, 0), [[1, 0], [0, 1]], what="The Jacobian of a state with respect to itself")
    lower = array([[1.0, 0.0], [2.0, 3.0]])
    equal(state_jacobian(H[:2], lower, 1, 1), [[0.75, 0], [2, 3]], what="The Jacobian with another V")


@criterion("errors", 1, hint="Which lags are there at step t? In Python h[-1] exists; before h_0 there is nothing.")
def test_errors() -> None:
    state_jacobian = student("rnn").state_jacobian
    for t, k in ((2, -1), (2, 3), (0, 1)):
        raises(state_jacobian, H, V, t, k)
