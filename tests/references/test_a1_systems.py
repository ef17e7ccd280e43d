"""The systems of assignment 1's hidden cases keep to what the docstrings say of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from autograder.course import Exercise
from solutions.a1_convolution import convolution
from solutions.a1_convolution.grading import cases, drivers

System = Callable[[np.ndarray], np.ndarray]
Draw = Callable[[int], np.ndarray]


def noise(rng: np.random.Generator, amplitude: float, uniform: bool) -> Draw:
    """Random signals with this standard deviation or, if ``uniform``, this largest value."""
    if uniform:
        return lambda length: rng.uniform(-amplitude, amplitude, length)
    return lambda length: rng.normal(scale=amplitude, size=length)


def largest_gap(left: np.ndarray, right: np.ndarray) -> float:
    """The largest difference, as a share of the largest value of either."""
    largest = max(np.abs(left).max(), np.abs(right).max())
    return float(np.abs(left - right).max() / largest) if largest else 0.0


def nonlinearity(system: System, length: int, draw: Draw) -> float:
    u, v = draw(length), draw(length)
    sums = largest_gap(system(u + v), system(u) + system(v))
    return max(sums, largest_gap(system(-1.7 * u), -1.7 * system(u)))


def variance_in_time(system: System, length: int, draw: Draw) -> float:
    gaps = []
    for delay in range(1, length):
        x = np.zeros(length)
        x[: length - delay] = draw(length - delay)
        gaps.append(largest_gap(system(np.roll(x, delay))[delay:], system(x)[: length - delay]))
    return max(gaps)


@pytest.mark.parametrize("uniform", [False, True], ids=["normal", "uniform"])
@pytest.mark.parametrize(
    ("exercise", "gap"), [(cases.IS_LINEAR, nonlinearity), (cases.IS_TIME_INVARIANT, variance_in_time)]
)
def test_a_hidden_system_breaks_the_law_clearly_or_not_at_all(
    exercise: Exercise, gap: Callable[..., float], uniform: bool
) -> None:
    """As the docstrings promise, for signals whose standard deviation or whose largest value is the amplitude."""
    for number, case in enumerate(exercise.cases()):
        given = exercise.case_inputs(case, "a seed of the tests")
        system, length = drivers._system(**given.args[0]), given.kwargs["length"]
        rng = np.random.default_rng(number)
        widest = max(gap(system, length, noise(rng, size, uniform)) for size in np.geomspace(0.01, 100, 15))
        right = getattr(convolution, exercise.name)(system, length, rng=rng)
        assert (widest < 1e-12) if right else (widest > 0.015), case.title


def test_no_two_drawn_coefficients_of_a_hidden_system_are_nearly_equal() -> None:
    for case in (case for exercise in (cases.IS_LINEAR, cases.IS_TIME_INVARIANT) for case in exercise.cases()):
        for seed in range(100):
            system = case.make(np.random.default_rng(seed)).args[0]
            for drawn in (value for value in (system["taps"], system["gain"]) if isinstance(value, np.ndarray)):
                assert len(drawn) == 1 or np.diff(np.sort(drawn)).min() > 0.05, case.title
