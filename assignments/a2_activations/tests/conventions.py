"""What the header of activations.py promises for all its functions. Each is called with small arrays."""

from __future__ import annotations

import numpy as np
from checks import call, criterion, keeps_arguments, keeps_dtype, keeps_strides, waves
from numpy import array

OK_FORMAT, name = False, "conventions"

X, DY = 2 * waves(3, 4), waves(3, 4, of=np.cos)
Y = np.exp(X) / np.exp(X).sum(axis=-1, keepdims=True)
TARGET = array([1, -100, 3])  # the second is ignored
GAMMA, BETA = 1 + waves(4) / 2, waves(4, of=np.cos)
CALLS = {
    "sigmoid": call(X),
    "sigmoid_backward": call(DY, X),
    "tanh": call(X),
    "tanh_backward": call(DY, X),
    "relu": call(X),
    "relu_backward": call(DY, X),
    "leaky_relu": call(X),
    "leaky_relu_backward": call(DY, X),
    "sign_agreement": call(DY, X),
    "zigzag_descent": call(waves(5, 2), waves(5), waves(2), lr=0.5, steps=3),
    "softmax": call(X),
    "softmax_backward": call(DY, Y),
    "log_softmax": call(X),
    "log_softmax_backward": call(DY, np.log(Y)),
    "cross_entropy": call(X, TARGET),
    "cross_entropy_backward": call(X, TARGET),
    "batch_norm_forward": call(X, GAMMA, BETA, waves(4), GAMMA, training=True),
    "batch_norm_backward": call(DY, X, GAMMA),
    "layer_norm_forward": call(X, GAMMA, BETA),
    "layer_norm_backward": call(DY, X, GAMMA),
    "layer_statistics": call(waves(6, 4), [waves(3, 4), waves(5, 3)], "tanh"),
}
IN_FLOAT64 = ("layer_statistics",)  # whatever it is given


@criterion(
    "dtype",
    1,
    hint="Which array or NumPy number is float64 by itself, and widens what it meets? What has no room in float32?",
)
def test_dtype() -> None:
    keeps_dtype("activations", {function: given for function, given in CALLS.items() if function not in IN_FLOAT64})


@criterion(
    "strides", 1, hint="Which function expects the numbers of an array to lie in memory in the order of its axes?"
)
def test_strides() -> None:
    keeps_strides("activations", CALLS)


@criterion(
    "arguments",
    1,
    hint="Which line writes, by an operator like += or into a slice, and whose array is it that it writes to?",
)
def test_arguments() -> None:
    keeps_arguments("activations", CALLS)
