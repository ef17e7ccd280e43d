"""What the iterators share."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

import numpy as np


def by_time(a: np.ndarray) -> np.ndarray:
    """(N, T, ...) to (T, N, ...) and back: a view."""
    return a.swapaxes(0, 1)


def locked(a: np.ndarray) -> np.ndarray:
    """Nobody can write into it any more."""
    a.flags.writeable = False
    return a


def summed(arrays: Iterable[np.ndarray]) -> np.ndarray:
    return locked(reduce(np.add, arrays, 0.0) + 0.0)
