from __future__ import annotations

from typing import Any

import numpy as np
from checks import criterion, equal, student, unpack
from numpy import array

OK_FORMAT, name = False, "sequence_loss"

Arrays = tuple[np.ndarray, ...]


def one_output() -> Arrays:
    """Two sequences of two steps, whose outputs are 2 and -1, 0.5 and 1; one step has no target."""
    h = array([[[1.0, 0.0], [0.0, 1.0]], [[0.5, 0.5], [1.0, 1.0]]])
    target, mask = array([[[1.0], [100.0]], [[0.0], [3.0]]]), array([[True, False], [True, True]])
    return h, array([[2.0, -1.0]]), target, mask


def two_outputs() -> Arrays:
    """One sequence of one step, whose outputs are 3 and 2."""
    h, W = array([[[1.0, 2.0]]]), array([[1.0, 1.0], [2.0, 0.0]])
    return h, W, array([[[1.0, 1.0]]]), array([[True]])


def no_target() -> Arrays:
    h, W, target, mask = one_output()
    return h, W, target, mask & False


def result(given: Arrays) -> tuple[Any, ...]:
    return unpack(student("rnn").sequence_loss(*given), "loss", "dh", "dW")


@criterion("loss", 2, hint="Three errors count in the first example. What is their sum of squares divided by?")
def test_loss() -> None:
    equal(result(one_output())[0], (1 + 0.25 + 4) / 2, what="The loss of two sequences")
    equal(result(two_outputs())[0], 4 + 1, what="The loss of two outputs")
    equal(result(no_target())[0], 0, what="The loss without a target")


@criterion("gradients", 4, hint="How does the loss change with one output, and the output with h or W? Does it count?")
def test_gradients() -> None:
    _, dh, dW = result(one_output())
    equal(dh, [[[2, -1], [0, 0]], [[1, -0.5], [-4, 2]]], what="dh of two sequences")
    equal(dW, [[-0.75, -1.75]], what="dW of two sequences")
    _, dh, dW = result(two_outputs())
    equal(dh, [[[8, 4]]], what="dh of two outputs")
    equal(dW, [[4, 8], [2, 4]], what="dW of two outputs")
    _, dh, dW = result(no_target())
    equal(dh, np.zeros((2, 2, 2)), what="dh without a target")
    equal(dW, np.zeros((1, 2)), what="dW without a target")
