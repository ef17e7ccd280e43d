from __future__ import annotations

import numpy as np
from checks import criterion, equal, has_dtype, student
from numpy import array

OK_FORMAT, name = False, "reverse_padded"


def batch() -> np.ndarray:
    """Four rows of five steps; the tens say which row."""
    return array([[[11, 12, 13, 14, 15], [21, 22, 23, 24, 25], [31, 32, 33, 34, 35], [41, 42, 43, 44, 45]]])[
        0, :, :, None
    ]


LENGTHS = array([3, 5, 1, 0])
REVERSED = array([[13, 12, 11, 14, 15], [25, 24, 23, 22, 21], [31, 32, 33, 34, 35], [41, 42, 43, 44, 45]])[:, :, None]


@criterion(
    "values",
    3,
    hint="Length 3: where do the entries of steps 1 and 4 go? And which steps does your slice take at length 0?",
)
def test_values() -> None:
    reverse_padded = student("lstm").reverse_padded
    equal(reverse_padded(batch(), LENGTHS), REVERSED)
    equal(reverse_padded(batch()[1:], LENGTHS[1:]), REVERSED[1:])
    two = np.concatenate([batch(), -batch()], axis=2)
    equal(reverse_padded(two, LENGTHS), np.concatenate([REVERSED, -REVERSED], axis=2))
    equal(reverse_padded(REVERSED.copy(), LENGTHS), batch(), what="The batch reversed twice")
    for dtype in (np.int16, np.float32, np.float64):
        has_dtype(reverse_padded(batch().astype(dtype), LENGTHS), dtype)
