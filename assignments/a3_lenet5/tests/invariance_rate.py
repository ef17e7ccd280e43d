from __future__ import annotations

import numpy as np
from checks import criterion, equal, student

OK_FORMAT, name = False, "invariance_rate"


def spikes() -> np.ndarray:
    """Four images, 4 by 4, with one bright pixel each."""
    x = np.zeros((4, 1, 4, 4))
    x[0, 0, 1, 0] = x[1, 0, 1, 1] = x[2, 0, 2, 2] = x[3, 0, 3, 3] = 1
    return x


def pooled(x: np.ndarray) -> np.ndarray:
    """The maxima of 2 by 2 windows side by side."""
    return x.reshape(-1, 1, 2, 2, 2, 2).max(axis=(3, 5))


def brightest(x: np.ndarray) -> np.ndarray:
    """One number for each image."""
    return x.max(axis=(1, 2, 3))


def rounded(x: np.ndarray) -> np.ndarray:
    """The maxima, with an error as small as rounding makes them, which depends on the shift."""
    return pooled(x) + 1e-15 * x[:, :, ::2, ::2]


@criterion("values", 3, hint="Which bright pixels leave their window? An image counts once, however much changes.")
def test_values() -> None:
    invariance_rate = student("lenet5").invariance_rate
    shifts = [(0, 0), (0, 1), (1, 0), (-1, -1)]
    equal(invariance_rate(pooled, spikes(), shifts), [1, 1 / 2, 1 / 4, 1 / 2])
    equal(invariance_rate(rounded, spikes(), shifts), [1, 1 / 2, 1 / 4, 1 / 2])
    equal(invariance_rate(brightest, spikes(), [*shifts, (-2, 0)]), [1, 3 / 4, 3 / 4, 3 / 4, 1 / 2])
    equal(invariance_rate(pooled, spikes()[1:3], [(-1, 0), (0, -1), (1, 0)]), [1 / 2, 1 / 2, 1 / 2])
    equal(invariance_rate(pooled, 0 * spikes(), [(3, -2)]), [1])
