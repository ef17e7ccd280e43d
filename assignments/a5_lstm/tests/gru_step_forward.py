from __future__ import annotations

import math
from typing import Any

import numpy as np
from checks import criterion, equal, student, waves
from numpy import array

OK_FORMAT, name = False, "gru_step_forward"

L = math.log(3)  # sigmoid(L) is 0.75 and sigmoid(-L) 0.25; tanh(L) is 0.8 and tanh(L / 2) 0.5


def on_paper() -> tuple[np.ndarray, ...]:
    """The handout's example: r = (0.25, 0.5), z = (0.75, 0.25), n = (0.5, 0.8).

    The state's share of the six sums is v, the input's share u; the biases make them so.
    """
    x, h = array([[2.0]]), array([[1.0, -1.0]])
    weight_ih = array([[1.0], [0.0], [2.0], [1.0], [1.0], [-1.0]])
    weight_hh = array([[1.0, 1.0], [0.0, 2.0], [1.0, 0.0], [0.0, 1.0], [2.0, 1.0], [1.0, -1.0]])
    u, v = array([-L - 1, 3, L - 1, -L - 1, L / 2 - 0.5, L + 2]), array([1.0, -3.0, 1.0, 1.0, 2.0, -4.0])
    return x, h, weight_ih, weight_hh, u - weight_ih @ x[0], v - weight_hh @ h[0]


def batch() -> tuple[np.ndarray, ...]:
    """Three rows of three inputs and two units."""
    return waves(3, 3), waves(3, 2) / 2, waves(6, 3), waves(6, 2, of=np.cos), waves(6), waves(6, of=np.cos)


@criterion(
    "values",
    5,
    hint="Blocks r, z, n: which is no gate? What exactly does r multiply, and which state does an open z keep?",
)
def test_values() -> None:
    gru_step_forward = student("lstm").gru_step_forward
    equal(gru_step_forward(*on_paper()), [[0.875, 0.35]], what="h_next on paper")
    want = [
        [-0.4977198452, -0.9277969207],
        [0.4758736384, -0.3077686588],
        [0.1009290748, -0.3110201392],
    ]
    equal(gru_step_forward(*batch()), want, rtol=1e-8, what="h_next of three rows")
