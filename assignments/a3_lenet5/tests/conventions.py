"""What the header of lenet5.py promises for all its functions. Each is called with small arrays."""

from __future__ import annotations

import math

import numpy as np
from checks import call, criterion, keeps_arguments, keeps_dtype, keeps_strides, waves
from numpy import array

OK_FORMAT, name = False, "conventions"

SHAPES = {"conv1": (6, 1, 5, 5), "conv2": (16, 6, 5, 5), "fc1": (120, 400), "fc2": (84, 120), "fc3": (10, 84)}
PARAMS = {f"{layer}.bias": waves(shape[0]) / 2 for layer, shape in SHAPES.items()} | {
    f"{layer}.weight": waves(*shape) * 2 / math.sqrt(math.prod(shape[1:])) for layer, shape in SHAPES.items()
}
X, IMAGES = waves(2, 3, 4, 6), waves(2, 1, 32, 32)
SMALL = {"weight": waves(3, 4), "bias": waves(3)}


def louder(x: np.ndarray) -> np.ndarray:
    """A layer whose answer depends on the place."""
    return x * np.arange(1, 7, dtype=x.dtype)


CALLS = {
    "max_pool_forward": call(X, 2),
    "max_pool_backward": call(waves(2, 3, 2, 3), X, 2),
    "avg_pool_forward": call(X, 2),
    "avg_pool_backward": call(waves(2, 3, 2, 3), X, 2),
    "min_pool_zero_fraction": call(np.maximum(X, 0), 2),
    "flatten": call(X),
    "linear_forward": call(waves(2, 3), waves(4, 3), waves(4)),
    "linear_backward": call(waves(2, 4), waves(2, 3), waves(4, 3)),
    "shift_image": call(X, 1, -2),
    "equivariance_error": call(louder, X, (1, 2)),
    "invariance_rate": call(louder, X, [(0, 0), (1, 0)]),
    "lenet5_forward": call(PARAMS, IMAGES),
    "lenet5_loss_and_gradients": call(PARAMS, IMAGES, array([3, 7])),
    "sgd_momentum_step": call(SMALL, {key: -value for key, value in SMALL.items()}, SMALL, lr=0.1),
    "train": call(PARAMS, IMAGES, array([3, 7]), [array([0, 1]), array([1])], lr=0.01),
}
IN_FLOAT64 = ("invariance_rate",)  # whatever the rates are computed from


@criterion(
    "dtype",
    1,
    hint="Which array or NumPy number is float64 by itself, and widens what it meets? What has no room in float32?",
)
def test_dtype() -> None:
    calls = {function: given for function, given in CALLS.items() if function not in IN_FLOAT64}
    keeps_dtype("lenet5", calls, first=["train"])  # its losses are float64 in any case


@criterion(
    "strides", 1, hint="Which function expects the numbers of an array to lie in memory in the order of its axes?"
)
def test_strides() -> None:
    keeps_strides("lenet5", CALLS)


@criterion(
    "arguments",
    1,
    hint="Which line writes, by an operator like -=, into a slice or to a key? Whose array or dictionary is it?",
)
def test_arguments() -> None:
    keeps_arguments("lenet5", CALLS)
