from __future__ import annotations

from typing import Any

import numpy as np
from checks import Failed, criterion, equal, student, unpack
from numpy import array

OK_FORMAT, name = False, "sgd_momentum_step"

Arrays = dict[str, np.ndarray]


def given() -> tuple[Arrays, Arrays, Arrays]:
    """Parameters, gradients and velocities of a layer from two to one."""
    params = {"fc1.weight": array([[1.0, 2.0]]), "fc1.bias": array([3.0])}
    grads = {"fc1.weight": array([[10.0, -20.0]]), "fc1.bias": array([30.0])}
    return params, grads, {"fc1.weight": array([[100.0, 0.0]]), "fc1.bias": array([-50.0])}


def zeros() -> Arrays:
    return {key: 0 * value for key, value in given()[0].items()}


def same(got: Any, want: dict[str, list[Any]], what: str) -> None:
    if not isinstance(got, dict) or got.keys() != want.keys():
        keys = sorted(got) if isinstance(got, dict) else type(got).__name__
        raise Failed(f"{what} come with the keys {keys}, expected {sorted(want)}.")
    for key, value in want.items():
        equal(got[key], value, what=f"{what}: {key}")


@criterion(
    "values",
    3,
    hint="Write out two steps for one number: what stays of the velocity, what joins it, which way does it lead?",
)
def test_values() -> None:
    step = student("lenet5").sgd_momentum_step
    params, grads, velocity = given()
    moved, faster = unpack(step(params, grads, zeros(), lr=0.1), "params", "velocity")
    same(moved, {"fc1.weight": [[0, 4]], "fc1.bias": [0]}, "The parameters after a first step")
    same(faster, {"fc1.weight": [[10, -20]], "fc1.bias": [30]}, "The velocities after a first step")
    moved, faster = unpack(step(params, grads, velocity, lr=0.1, momentum=0.5), "params", "velocity")
    same(moved, {"fc1.weight": [[-5, 4]], "fc1.bias": [2.5]}, "The parameters with momentum 0.5")
    same(faster, {"fc1.weight": [[60, -20]], "fc1.bias": [5]}, "The velocities with momentum 0.5")
    moved, faster = unpack(step(params, grads, velocity, lr=0.01), "params", "velocity")
    same(moved, {"fc1.weight": [[0, 2.2]], "fc1.bias": [3.15]}, "The parameters with momentum 0.9")
    same(faster, {"fc1.weight": [[100, -20]], "fc1.bias": [-15]}, "The velocities with momentum 0.9")
