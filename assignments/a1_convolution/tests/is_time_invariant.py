from __future__ import annotations

from collections.abc import Callable

import numpy as np
from checks import criterion, equal, student

OK_FORMAT, name = False, "is_time_invariant"

System = Callable[[np.ndarray], np.ndarray]


def delayed(x: np.ndarray, steps: int = 1) -> np.ndarray:
    """x[n - steps], with zeros before the signal begins and after it ends."""
    padded = np.concatenate([np.zeros(2), x, np.zeros(2)])
    return padded[2 - steps :][: len(x)]


def median_of_three(x: np.ndarray) -> np.ndarray:
    return np.median([x, delayed(x, 1), delayed(x, 2)], axis=0)


def every_second_sample(x: np.ndarray) -> np.ndarray:
    return np.concatenate([x[::2], np.zeros(len(x) // 2)])


def fourier(x: np.ndarray) -> np.ndarray:
    """x[n] - 2 x[n - 1] + x[n - 2] / 2, with the rounding errors of a detour."""
    return np.fft.irfft(np.fft.rfft(x, 64) * np.fft.rfft([1.0, -2.0, 0.5], 64), 64)[: len(x)]


def from_time(start: int, after: System) -> System:
    """Nothing happens to the signal before the sample ``start``, counted from the end if it is negative."""
    return lambda x: np.concatenate([x[:start], after(x)[start:]])


def periodic_gain(period: int) -> System:
    """Every sample passes but for one in a period, which is halved."""
    return lambda x: np.where(np.arange(len(x)) % period, x, x / 2)


INVARIANT: dict[str, System] = {
    "a gain": lambda x: -2.5 * x,
    "a delay": delayed,
    "an offset": lambda x: x + 1,
    "a square with an offset": lambda x: x**2 - 3,
    "a median of three": median_of_three,
    "a filter that rounds": fourier,
    "clipping at 5": lambda x: np.clip(x, -5, 5),
    "an average that looks ahead by 1": lambda x: (delayed(x, 1) + x + delayed(x, -1)) / 3,
    "a product that looks ahead by 2": lambda x: x * delayed(x, -2) + 1,
    "silence": np.zeros_like,
}
VARYING: dict[str, System] = {
    "a gain that grows with n": lambda x: np.arange(len(x)) * x,
    **{f"a gain of period {period}": periodic_gain(period) for period in (2, 3, 5, 7)},
    "a filter with a gain of period 2": lambda x: periodic_gain(2)(x + delayed(x, 2)),
    "every second sample, then zeros": every_second_sample,
    "a drift": lambda x: x + np.arange(len(x)) / 100,
    "an echo that begins at n = 11": from_time(11, lambda x: x + delayed(x)),
    "a gain that changes after the first sample": from_time(1, lambda x: 1.5 * x),
    "a gain that changes at the last sample": from_time(-1, lambda x: 1.5 * x),
    "a rectifier that begins at n = 8": from_time(8, np.abs),
    "a product of neighbours that begins at n = 8": from_time(8, lambda x: x + x * delayed(x)),
    "clipping at 5 that begins at n = 8": from_time(8, lambda x: np.clip(x, -5, 5)),
    "small samples lost from n = 8": from_time(8, lambda x: np.where(abs(x) < 0.3, 0, x)),
}


@criterion("systems", 4, hint="From which signals, sizes and delays could a change hide? Mind the ends, and rounding.")
def test_systems() -> None:
    is_time_invariant = student("convolution").is_time_invariant
    for title, system in INVARIANT.items():
        equal(is_time_invariant(system, 16, rng=np.random.default_rng(1)), True, what=f"The verdict on {title}")
    for title, system in VARYING.items():
        equal(is_time_invariant(system, 20, rng=np.random.default_rng(2)), False, what=f"The verdict on {title}")
