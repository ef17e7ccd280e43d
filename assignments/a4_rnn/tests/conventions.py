"""What the header of rnn.py promises for all its functions. Each is called with small arrays."""

from __future__ import annotations

import numpy as np
from checks import call, criterion, keeps_arguments, keeps_dtype, keeps_strides, waves
from numpy import array

OK_FORMAT, name = False, "conventions"

U, V, B, W = waves(4, 3), waves(4, 4) / 2, waves(4), waves(2, 4)
X, H0, H, DH = waves(2, 5, 3), waves(2, 4), waves(2, 5, 4, of=np.cos), waves(2, 5, 4)
MASK = array([[True, True, False, True, False], [True, False, True, True, True]])
PARAMS = {"U": U, "V": V, "b": B, "W": W}


def cubes(a: np.ndarray) -> np.ndarray:
    return a**3


CALLS = {
    "rnn_step_forward": call(X[:, 0], H0, U, V, B),
    "rnn_step_backward": call(DH[:, 0], X[:, 0], H0, H[:, 0], U, V),
    "rnn_forward": call(X, H0, U, V, B),
    "rnn_backward": call(DH, X, H0, H, U, V),
    "sequence_loss": call(H, W, waves(2, 5, 2), MASK),
    "linear_recurrence_coefficients": call(U, V, 4),
    "state_jacobian": call(H[0], V, 4, 1),
    "jacobian_norms": call(H[0], V, 3),
    "spectral_radius": call(V),
    "scale_to_radius": call(V, 0.5),
    "contraction_bound": call(V, "sigmoid"),
    "clip_by_value": call(PARAMS, 0.3),
    "clip_by_norm": call(PARAMS, 0.3),
    "numerical_gradient": call(cubes, waves(2, 3), waves(2, 3, of=np.cos)),
    "gradient_error": call(waves(3, 4), waves(3, 4, of=np.cos)),
    "truncated_bptt": call(DH, X, H0, H, U, V, window=2),
    "train": call(PARAMS, X, waves(2, 5, 2), MASK, steps=2, lr=0.1, max_norm=1.0),
}


@criterion(
    "dtype",
    1,
    hint="Which array or NumPy number is float64 by itself, and widens what it meets? What has no room in float32?",
)
def test_dtype() -> None:
    keeps_dtype("rnn", CALLS, first=["train"])  # the dtype of its losses is left open


@criterion(
    "strides", 1, hint="Which function expects the numbers of an array to lie in memory in the order of its axes?"
)
def test_strides() -> None:
    keeps_strides("rnn", CALLS)


@criterion(
    "arguments",
    1,
    hint="Which line writes, by an operator like += or into a slice, and whose array is it that it writes to?",
)
def test_arguments() -> None:
    keeps_arguments("rnn", CALLS)
