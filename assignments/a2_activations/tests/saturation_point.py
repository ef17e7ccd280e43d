from __future__ import annotations

import math
from collections.abc import Callable

from checks import criterion, equal, student

OK_FORMAT, name = False, "saturation_point"


def near(derivative: Callable[[float], float], fraction: float, want: float) -> None:
    """Hold the answer to ``want``, up to 1e-6."""
    __tracebackhide__ = True
    equal(student("activations").saturation_point(derivative, fraction), want, rtol=1e-6 / want, what="The point")


def at_zero(derivative: Callable[[float], float], fraction: float) -> None:
    """Hold the answer to 0, up to 1e-6."""
    __tracebackhide__ = True
    point = student("activations").saturation_point(derivative, fraction)
    close = isinstance(point, float) and abs(point) <= 1e-6
    equal(0 if close else point, 0, what=f"The point for a fraction of {fraction:g}")


@criterion(
    "values",
    3,
    hint="Small compared with what? And the slope only falls: what does one value tell about all x on either side?",
)
def test_values() -> None:
    near(lambda x: 1 / (1 + x**2), 0.1, 3)
    near(lambda x: 0.25 / (1 + x**2), 0.2, 2)
    near(lambda x: 40 / (1 + abs(x)), 0.25, 3)
    near(lambda x: math.exp(-1000 * abs(x)), math.exp(-2), 0.002)
    near(lambda x: 0.2 + 0.8 / (1 + x**2), 0.36, 2)
    near(lambda x: 1 / (1 + x**2), 1 / 8101, 90)
    root = math.sqrt(0.9)
    near(lambda x: math.exp(-abs(x)) / (1 + math.exp(-abs(x))) ** 2, 0.1, math.log((1 + root) / (1 - root)))


@criterion("limits", 1, hint="What does the definition say at x = 0? And if there is no such x up to 100?")
def test_limits() -> None:
    at_zero(lambda x: 1 / (1 + x**2), 1.0)
    at_zero(lambda x: 0.25 / (1 + x**2), 2.5)
    saturation_point = student("activations").saturation_point
    equal(saturation_point(lambda x: 0.5 + 0.5 / (1 + x**2), 0.3), math.inf, what="The point for a slope above 1/2")
    equal(saturation_point(lambda x: 1 / (1 + abs(x)), 0.005), math.inf, what="The point, which lies beyond 100,")
