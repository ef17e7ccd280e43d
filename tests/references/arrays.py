"""Arrays as a careless reference would not expect them."""

from __future__ import annotations

import numpy as np


def frozen(array: np.ndarray) -> np.ndarray:
    """The array, protected: writing to an argument raises."""
    array.flags.writeable = False
    return array


def scattered(array: np.ndarray) -> np.ndarray:
    """The same values with reversed axes, negative steps and gaps in memory."""
    gap = np.nan if array.dtype.kind == "f" else 1
    room = np.full([2 * side for side in reversed(array.shape)], gap, array.dtype)
    view = room.T[tuple(slice(None, None, -2) for _ in array.shape)]
    view[...] = array
    assert view.size == 1 or not view.flags.contiguous
    return frozen(view)
