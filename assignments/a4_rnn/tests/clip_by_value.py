from __future__ import annotations

from typing import Any

import numpy as np
from checks import Failed, criterion, equal, raises, student
from numpy import array

OK_FORMAT, name = False, "clip_by_value"


def grads() -> dict[str, np.ndarray]:
    return {"U": array([[30.0, 4.0], [-7.0, 0.0]]), "b": array([-0.5, -6.0, 5.0])}


def same(got: Any, want: dict[str, list[Any]]) -> None:
    if not isinstance(got, dict) or got.keys() != want.keys():
        keys = sorted(got) if isinstance(got, dict) else type(got).__name__
        raise Failed(f"The gradients come with the keys {keys}, expected {sorted(want)}.")
    for key, value in want.items():
        equal(got[key], value, what=f"The gradient of {key}")


@criterion("values", 1, hint="Every entry by itself, the negative ones too. Is it the clipped arrays that you return?")
def test_values() -> None:
    clip_by_value = student("rnn").clip_by_value
    same(clip_by_value(grads(), 5.0), {"U": [[5, 4], [-5, 0]], "b": [-0.5, -5, 5]})
    same(clip_by_value(grads(), 0.25), {"U": [[0.25, 0.25], [-0.25, 0]], "b": [-0.25, -0.25, 0.25]})
    same(clip_by_value(grads(), 100.0), {key: value.tolist() for key, value in grads().items()})


@criterion("errors", 1, hint="Which numbers lie between -limit and limit if the limit is 0, or below?")
def test_errors() -> None:
    for limit in (0.0, -5.0):
        raises(student("rnn").clip_by_value, grads(), limit)
