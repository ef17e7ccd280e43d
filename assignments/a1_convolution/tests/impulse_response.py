from __future__ import annotations

import numpy as np
from checks import criterion, equal, student

OK_FORMAT, name = False, "impulse_response"


def echo(x: np.ndarray) -> np.ndarray:
    """2 x[n] and, three samples later, half of it."""
    return 2 * x + np.concatenate([np.zeros(3), x[:-3]])


def reverberation(x: np.ndarray) -> np.ndarray:
    """y[n] = x[n] + y[n - 1] / 3."""
    y = x.copy()
    for n in range(1, len(x)):
        y[n] += y[n - 1] / 3
    return y


@criterion(
    "values",
    2,
    hint="Which signal asks, and when does its impulse come? Report the outcome as it is, whatever the system.",
)
def test_values() -> None:
    impulse_response = student("convolution").impulse_response
    equal(impulse_response(echo, 16), [2, 0, 0, 1] + 12 * [0], what="The answer of an echo")
    equal(impulse_response(reverberation, 21), 3.0 ** -np.arange(21), what="The answer of a reverberation")
    equal(impulse_response(lambda x: x + 3, 17), [4] + 16 * [3], what="The answer of an offset")
    equal(impulse_response(lambda x: 9 * x**2, 16), [9] + 15 * [0], what="The answer of a square")
    gain = np.arange(5.0, 23.0)
    equal(impulse_response(lambda x: gain * x, 18), [5] + 17 * [0], what="The answer of a growing gain")
