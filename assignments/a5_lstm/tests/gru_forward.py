from __future__ import annotations

import math
from typing import Any

import numpy as np
from checks import criterion, equal, has_dtype, student, waves
from numpy import array

OK_FORMAT, name = False, "gru_forward"


def batch() -> list[np.ndarray]:
    """Two sequences of three steps, with three inputs and two units."""
    return [waves(2, 3, 3), waves(2, 2) / 2, waves(6, 3), waves(6, 2, of=np.cos), waves(6), waves(6, of=np.cos)]


@criterion(
    "values",
    2,
    hint="Is one step right? Each begins with the state that the one before left. Where is time in the result?",
)
def test_values() -> None:
    gru_forward, zeros = student("lstm").gru_forward, np.zeros((3, 1))
    # Without weights z = 1/2 and n = 0: each step halves the state.
    got = gru_forward(np.ones((2, 3, 1)), array([[8.0], [-4.0]]), zeros, zeros, zeros[:, 0], zeros[:, 0])
    equal(got, [[[4], [2], [1]], [[-2], [-1], [-0.5]]], what="The states that are halved")
    want = [
        [-0.4977198452, -0.9277969207, 0.076428223, -0.7881143251, 0.1999218972, -0.5315991097],
        [0.3534469496, -0.2420398439, 0.4354824951, -0.2141320101, 0.5531048242, -0.0332933883],
    ]
    equal(gru_forward(*batch()), array(want).reshape(2, 3, 2), rtol=1e-8, what="The states of two sequences")
