from __future__ import annotations

import numpy as np
from checks import criterion, equal, has_dtype, student

OK_FORMAT, name = False, "window_coverage"


@criterion("values", 2, hint="Let each window mark what it sees: where does the last one lie, and where the padding?")
def test_values() -> None:
    window_coverage = student("convolution").window_coverage
    equal(window_coverage((3, 5), (2, 3)), [[1, 2, 3, 2, 1], [2, 4, 6, 4, 2], [1, 2, 3, 2, 1]])
    equal(window_coverage(4, (3, 1)), [[1, 1, 1, 1], [2, 2, 2, 2], [2, 2, 2, 2], [1, 1, 1, 1]])
    equal(window_coverage((3, 4), 3, padding=1), [[4, 6, 6, 4], [6, 9, 9, 6], [4, 6, 6, 4]])
    equal(window_coverage((3, 4), (4, 2), padding=(3, 1)), np.full((3, 4), 8))
    once, never = [1, 1, 2, 1, 2, 1, 1, 0], [0, 0, 0, 0, 0, 0, 0, 0]
    equal(window_coverage((6, 8), (2, 3), stride=(3, 2)), [once, once, never, once, once, never])
    once, twice = [0, 1, 1, 0, 1, 1], [0, 2, 2, 0, 2, 2]
    equal(window_coverage((5, 6), (3, 2), stride=(2, 3), padding=(1, 2)), [once, twice, once, twice, once])


@criterion("dtype", 1, hint="Counts are whole numbers of 64 bits; np.zeros makes floats unless told not to.")
def test_dtype() -> None:
    has_dtype(student("convolution").window_coverage((3, 5), (2, 3)), np.int64)
