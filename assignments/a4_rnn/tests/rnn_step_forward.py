from __future__ import annotations

import math

import numpy as np
from checks import criterion, equal, student
from numpy import array

OK_FORMAT, name = False, "rnn_step_forward"

L = math.log(2)  # tanh(L) = 0.6 and tanh(2 * L) = 15/17


def register() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """U, V and b of three memory cells in a row: the second takes over from the first, the third from the second."""
    U = L * array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])
    V = L / 0.6 * array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    return U, V, L * array([1.0, 0.0, 0.0])


@criterion("values", 4, hint="Compute U x + V h + b on paper for one row. V[i, j] leads from which cell to which?")
def test_values() -> None:
    rnn_step_forward = student("rnn").rnn_step_forward
    x, h = array([[-2.0, 0.0], [0.0, 1.0]]), array([[0.6, -0.6, 0.0], [0.0, 0.6, -0.6]])
    equal(rnn_step_forward(x, h, *register()), [[-0.6, 0.6, -0.6], [0.6, 0, 15 / 17]])
    equal(rnn_step_forward(x[:1] + 1, -h[:1], *register()), [[0, -0.6, 15 / 17]])
    U, V, b = array([[1.0, -1.0], [2.0, 0.0]]), array([[1.0, 2.0], [0.0, -1.0]]), array([0.5, math.log(3) / 2 - 2])
    equal(rnn_step_forward(array([[1.0, 2.0]]), array([[0.5, 0.0]]), U, V, b), [[0, 0.5]])  # the handout's example
