from __future__ import annotations

import math

import numpy as np
from checks import criterion, equal, student, unpack
from numpy import array

OK_FORMAT, name = False, "truncated_bptt"

Arrays = tuple[np.ndarray, ...]

# What arrives in front of tanh in each step of one sequence, with windows of one, two and three steps.
FRONT = {
    1: array([[1.5, -2.0], [2.0, 3.0], [3.0, 0.0]]),
    2: array([[3.0, -1.0], [2.0, 3.0], [3.0, 0.0]]),
    3: array([[5.25, 0.5], [5.0, 7.5], [3.0, 0.0]]),
}


def on_paper(steps: int = 3) -> Arrays:
    """The arguments of rnn_backward's tests, twice in a batch: the gradients of the second are -3 times the first's."""
    U, V = array([[1.0, -1.0], [2.0, 0.0]]), array([[1.0, 2.0], [0.0, -1.0]])
    states, b = array([[0.5, -0.5], [0.5, 0.0], [0.0, 0.5], [0.5, -0.6]]), array([0.5, math.log(3) / 2 - 2])
    x = (np.arctanh(states[1:]) - states[:-1] @ V.T - b) @ np.linalg.inv(U).T
    dh = array([[2.0, -2.0], [2.0, 4.0], [4.0, 0.0]])[:steps]
    h = np.stack([states[1 : steps + 1]] * 2)
    return np.stack([dh, -3 * dh]), np.stack([x[:steps]] * 2), states[[0, 0]], h, U, V


def check(window: int, front: np.ndarray) -> None:
    """Hold the gradients to the shares of the steps, added up over time and over the two sequences."""
    given = on_paper(len(front))
    got = unpack(student("rnn").truncated_bptt(*given, window=window), "dU", "dV", "db")
    x, before = given[1][0], np.concatenate([given[2][:1], given[3][0, :-1]])
    want = (-2 * front.T @ x, -2 * front.T @ before, -2 * front.sum(axis=0))
    for what, mine, exact in zip(("dU", "dV", "db"), got, want, strict=True):
        equal(mine, exact, what=f"{what} of {len(front)} steps with a window of {window}")


@criterion("values", 4, hint="Which states count as constants, and which state does each window begin with?")
def test_values() -> None:
    check(1, FRONT[1])
    check(3, FRONT[3])
    check(2, FRONT[2][:2])
    check(1, FRONT[1][:2])


@criterion(
    "remainder", 2, hint="Three steps in windows of two: what becomes of the third? What if a window is too long?"
)
def test_remainder() -> None:
    check(2, FRONT[2])
    check(5, FRONT[3])
    check(9, FRONT[2][:2])
