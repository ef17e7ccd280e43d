from __future__ import annotations

from collections.abc import Callable

import numpy as np
from checks import criterion, equal, student

OK_FORMAT, name = False, "is_linear"


def delayed(x: np.ndarray, steps: int = 1) -> np.ndarray:
    """x[n - steps], with zeros before the signal begins and after it ends."""
    padded = np.concatenate([np.zeros(2), x, np.zeros(2)])
    return padded[2 - steps :][: len(x)]


def median_of_three(x: np.ndarray) -> np.ndarray:
    return np.median([x, delayed(x, 1), delayed(x, 2)], axis=0)


LINEAR: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "a gain": lambda x: -2.5 * x,
    "a delay": delayed,
    "a difference": lambda x: x - delayed(x),
    "an average that looks ahead": lambda x: (delayed(x, 1) + x + delayed(x, -1)) / 3,
    "a gain that grows with n": lambda x: np.arange(len(x)) * x,
    "silence": np.zeros_like,
}
NONLINEAR: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "an offset": lambda x: x + 1,
    "a square": lambda x: x**2,
    "an absolute value": np.abs,
    "a product of neighbours": lambda x: x * delayed(x),
    "a median of three": median_of_three,
    "clipping at 5": lambda x: np.clip(x, -5, 5),
}


@criterion("systems", 3, hint="Test both properties on several random signals, small and large; allow for rounding.")
def test_systems() -> None:
    is_linear = student("convolution").is_linear
    for title, system in LINEAR.items():
        equal(is_linear(system, 16, rng=np.random.default_rng(1)), True, what=f"The verdict on {title}")
    for title, system in NONLINEAR.items():
        equal(is_linear(system, 20, rng=np.random.default_rng(2)), False, what=f"The verdict on {title}")
