from __future__ import annotations

import math
from typing import Any

import numpy as np
from checks import Failed, criterion, equal, student, unpack, waves
from numpy import array

OK_FORMAT, name = False, "multi_head_attention_backward"

LN2 = np.log(2)
X = array([[[1.0, 0.0], [0.0, 1.0]]])  # one sequence of two tokens
DY = array([[[1.0, 0.0], [2.0, -1.0]]])
MASK = array([[True, False, False], [False, False, False], [True, True, True]])  # the second query sees nothing


def small() -> dict[str, np.ndarray]:
    """The two heads of one feature that the handout computes on paper."""
    q, k, v = [[LN2, 0.0], [0.0, LN2]], [[1.0, 0.0], [1.0, 2.0]], [[15.0, 0.0], [0.0, 6.0]]
    return {
        "in_proj_weight": array([*q, *k, *v]),
        "in_proj_bias": array([LN2, 0.0, 0.0, 0.0, 1.0, -1.0]),
        "out_proj.weight": array([[1.0, 1.0], [0.0, -1.0]]),
        "out_proj.bias": array([50.0, 10.0]),
    }


def large() -> dict[str, np.ndarray]:
    """Parameters for four features."""
    return {
        "in_proj_weight": 2 * waves(12, 4),
        "in_proj_bias": waves(12)[::-1],
        "out_proj.weight": waves(5, 4)[1:],
        "out_proj.bias": waves(8)[4:],
    }


def backward(*args: Any, **settings: Any) -> dict[str, np.ndarray]:
    """The gradients of the parameters, and that of x among them."""
    dx, grads = unpack(student("attention").multi_head_attention_backward(*args, **settings), "dx", "grads")
    if not isinstance(grads, dict) or grads.keys() != large().keys():
        keys = sorted(grads) if isinstance(grads, dict) else type(grads).__name__
        raise Failed(f"The gradients come with the keys {keys}, expected {sorted(large())}.")
    return {**grads, "x": dx}


def slopes(key: str, two_heads: float, one_head: float, blind: float) -> None:
    """Hold the slope of the loss along waves(..., of=np.cos) to what autograd says."""
    for num_heads, mask, want, case in (
        (2, None, two_heads, "two heads"),
        (1, None, one_head, "one head"),
        (2, MASK, blind, "two heads with a query that sees nothing"),
    ):
        dy, x = waves(2, 3, 4, of=np.cos), waves(2, 3, 4)
        gradient = backward(dy, x, large(), num_heads, mask=mask)[key]
        shape = x.shape if key == "x" else large()[key].shape
        if np.shape(gradient) != shape:
            raise Failed(f"The gradient of {key} has shape {np.shape(gradient)}, expected {shape}.")
        slope = np.sum(gradient * waves(*shape, of=np.cos))
        equal(slope, want, rtol=1e-8, what=f"The slope along {key} of {case}")


@criterion(
    "dx", 4, hint="Is in_proj right? Then: a token asks, is found and is read. Do all three hand back what they owe it?"
)
def test_dx() -> None:
    want = [[32 + 148 / 15 * LN2, 9 - 13 / 2 * LN2], [13 - 4 / 5 * LN2, 15 + 12 * LN2]]
    equal(backward(DY, X, small(), 2)["x"], [want], what="dx")
    slopes("x", 31.459560802025145, 26.417155261154274, 10.87881238042207)


@criterion(
    "in_proj",
    3,
    hint="Is out_proj right? Three linear layers in one matrix: keep the order of its rows. Over what do you sum?",
)
def test_in_proj() -> None:
    grads = backward(DY, X, small(), 2)
    first = [12 / 5, 3 / 2, 172 / 15 * LN2, -4 * LN2, 32 / 15, 3 / 2]
    second = [20 / 3, 4, -172 / 15 * LN2, 4 * LN2, 13 / 15, 5 / 2]
    equal(grads["in_proj_weight"], array([first, second]).T, what="The gradient of in_proj_weight")
    equal(grads["in_proj_bias"], [136 / 15, 11 / 2, 0, 0, 3, 4], what="The gradient of in_proj_bias")
    slopes("in_proj_weight", 6.252188594367077, -3.3006637787783193, 2.4911990817144205)
    slopes("in_proj_bias", -0.582375300277695, -0.5324029628211653, -1.0803075146653995)


@criterion("out_proj", 2, hint="The last linear layer met the merged heads. Its bias met every token of the batch.")
def test_out_proj() -> None:
    grads = backward(DY, X, small(), 2)
    equal(grads["out_proj.weight"], [[35, 8], [-11, -3]], what="The gradient of out_proj.weight")
    equal(grads["out_proj.bias"], [3, -1], what="The gradient of out_proj.bias")
    slopes("out_proj.weight", -16.442839922686943, -21.84302115122605, -12.341634472575636)
    slopes("out_proj.bias", 3.620074087444825, 3.620074087444825, 3.620074087444825)
