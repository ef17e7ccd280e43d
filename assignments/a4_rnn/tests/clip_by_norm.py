from __future__ import annotations

from typing import Any

import numpy as np
from checks import Failed, criterion, equal, has_dtype, raises, student, unpack
from numpy import array, inf, nan

OK_FORMAT, name = False, "clip_by_norm"

Arrays = dict[str, np.ndarray]


def grads(scale: float = 1.0, dtype: Any = np.float64) -> Arrays:
    """Two arrays of the norms 3 and 4, together one vector of the norm 5, times the scale."""
    return {"U": array([[1.0, 2.0], [-2.0, 0.0]], dtype) * dtype(scale), "b": array([0.0, -4.0], dtype) * dtype(scale)}


def clipped(given: Arrays, max_norm: float) -> tuple[Any, Any]:
    got, norm = unpack(student("rnn").clip_by_norm(given, max_norm), "clipped", "total_norm")
    if not isinstance(got, dict) or got.keys() != given.keys():
        keys = sorted(got) if isinstance(got, dict) else type(got).__name__
        raise Failed(f"The gradients come with the keys {keys}, expected {sorted(given)}.")
    return got, norm


def check(given: Arrays, max_norm: float, want: Arrays, norm: float) -> Any:
    got, total_norm = clipped(given, max_norm)
    for key, value in want.items():
        equal(got[key], value.astype(np.float64), rtol=1e-5, what=f"The gradient of {key}")
    equal(total_norm, norm, rtol=1e-5, what="The norm before clipping")
    return got


@criterion(
    "values",
    2,
    hint="All arrays are one vector: one factor, one norm, measured when? In which precision are the squares?",
)
def test_values() -> None:
    check(grads(), 2.5, grads(0.5), 5)
    check(grads(2), 1.0, grads(0.2), 10)
    check({"w": array([30.0, 40.0])}, 5.0, {"w": array([3.0, 4.0])}, 50)
    got = check(grads(1e20, np.float32), 5.0, grads(), 5e20)
    for key in grads():
        has_dtype(got[key], np.float32, what=f"The gradient of {key}")


@criterion("small", 1, hint="What should happen to a gradient that is short enough already? And to zeros?")
def test_small() -> None:
    check(grads(), 6.0, grads(), 5)
    check(grads(0.001), 1.0, grads(0.001), 0.005)
    check(grads(0), 1.0, grads(0), 0)


@criterion("errors", 1, hint="Two things can be wrong: what is wanted, and what came. One bad entry spoils the norm.")
def test_errors() -> None:
    clip_by_norm = student("rnn").clip_by_norm
    for max_norm in (0.0, -1.0):
        raises(clip_by_norm, grads(), max_norm)
    for bad in (nan, inf, -inf):
        raises(clip_by_norm, {"U": array([[1.0, 2.0]]), "b": array([bad, 1.0])}, 1.0)
