from __future__ import annotations

from math import cos, sin

import numpy as np
from checks import criterion, equal, has_dtype, raises, student

OK_FORMAT, name = False, "sinusoidal_positions"


@criterion(
    "values", 3, hint="Two neighbours share one angle: which is the sine? By how much slower does the next pair turn?"
)
def test_values() -> None:
    sinusoidal_positions = student("attention").sinusoidal_positions
    want = [[0, 1, 0, 1], [sin(1), cos(1), sin(0.01), cos(0.01)], [sin(2), cos(2), sin(0.02), cos(0.02)]]
    equal(sinusoidal_positions(3, 4), want)
    want = [[sin(t), cos(t), sin(t / 2), cos(t / 2), sin(t / 4), cos(t / 4)] for t in range(5)]
    equal(sinusoidal_positions(5, 6, base=8.0), want)
    equal(sinusoidal_positions(2, 2, 3.0), [[0, 1], [sin(1), cos(1)]])
    equal(sinusoidal_positions(1, 6), [[0, 1, 0, 1, 0, 1]])
    has_dtype(sinusoidal_positions(2, 4), np.float64)


@criterion("errors", 1, hint="Every sine needs a cosine beside it.")
def test_errors() -> None:
    sinusoidal_positions = student("attention").sinusoidal_positions
    raises(sinusoidal_positions, 3, 5)
    raises(sinusoidal_positions, 2, 1)
    raises(sinusoidal_positions, 4, 7, base=100.0)
