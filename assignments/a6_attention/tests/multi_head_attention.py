from __future__ import annotations

import math
from typing import Any

import numpy as np
from checks import criterion, equal, student, unpack, waves
from numpy import array

OK_FORMAT, name = False, "multi_head_attention"

X = array([[[1.0, 0.0], [0.0, 1.0]]])  # one sequence of two tokens


def small() -> dict[str, np.ndarray]:
    """Two heads of one feature. On X, q is ln 2 times (2, 0) and (1, 1), k is (1, 1) and (0, 2), v is (16, -1) and
    (1, 5)."""
    q, k, v = [[np.log(2), 0.0], [0.0, np.log(2)]], [[1.0, 0.0], [1.0, 2.0]], [[15.0, 0.0], [0.0, 6.0]]
    return {
        "in_proj_weight": array([*q, *k, *v]),
        "in_proj_bias": array([np.log(2), 0.0, 0.0, 0.0, 1.0, -1.0]),
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


def attend(*args: Any, **settings: Any) -> tuple[np.ndarray, np.ndarray]:
    return unpack(student("attention").multi_head_attention(*args, **settings), "y", "weights")


@criterion(
    "values",
    4,
    hint="Are projecting, splitting and merging right? Which scale and mask has a head? What mixes heads at the end?",
)
def test_values() -> None:
    equal(attend(X, small(), 2)[0], [[[65, 8], [64, 7]]], what="y")
    equal(attend(X, small(), 2, mask=array([[True, False], [True, True]]))[0], [[[65, 11], [64, 7]]], what="y, masked,")
    equal(attend(X, small(), 2, mask=array([[False], [True]]))[0], [[[50, 10], [64, 7]]], what="y of a blind query")
    want = [  # two sequences of three tokens
        [0.311423733273, -2.902227387181, -2.388939858546, -3.462655332715],
        [-0.48011135784, -2.447898602576, -2.658752022879, -1.262985591408],
        [2.016785308177, -3.297446287694, -5.806695034504, -2.616146281479],
        [5.770918539834, -4.985420659261, 5.901362487793, -1.11081494388],
        [2.224222974383, -2.897262902336, -0.053389155826, -2.406053693788],
        [3.531568727895, -1.562391847091, -0.950507738291, -1.962151926654],
    ]
    equal(
        attend(waves(2, 3, 4), large(), 2)[0],
        array(want).reshape(2, 3, 4),
        rtol=1e-8,
        what="y of two heads of two features",
    )
    want = [
        [1.301965028205, -3.373860394632, -4.671537672548, -2.977267472708],
        [1.398052288077, -3.432085667213, -4.776582051987, -3.014962884768],
        [0.710255331651, -3.010229187521, -4.031663488057, -2.721950688032],
        [5.798247694483, -4.963002044397, 5.886422803539, -1.100093132381],
        [1.841538570696, -3.445194140381, 0.321777184303, -2.502327685852],
        [1.673058800421, -3.496634041202, 1.577649119599, -2.46964836561],
    ]
    equal(
        attend(waves(2, 3, 4), large(), 1)[0],
        array(want).reshape(2, 3, 4),
        rtol=1e-8,
        what="y of one head of four features",
    )


@criterion(
    "weights", 2, hint="Each head looks somewhere else, under its own mask: keep its table. Which axes does that make?"
)
def test_weights() -> None:
    want = array([[[4 / 5, 1 / 5], [2 / 3, 1 / 3]], [[1 / 2, 1 / 2], [1 / 3, 2 / 3]]])
    equal(attend(X, small(), 2)[1], want[None], what="The table of weights")
    mask = array([[[True, False], [True, True]], [[False, False], [False, True]]])
    want = array([[[1, 0], [2 / 3, 1 / 3]], [[0, 0], [0, 1]]])
    equal(attend(X, small(), 2, mask=mask)[1], want[None], what="The weights where each head has a mask of its own")


@criterion("memory", 3, hint="Who asks, and who is searched and read? Count the tokens on either side.")
def test_memory() -> None:
    memory = array([[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]])
    y, weights = attend(X, small(), 2, memory=memory)
    want = array([[[4 / 9, 1 / 9, 4 / 9], [2 / 5, 1 / 5, 2 / 5]], [[1 / 3, 1 / 3, 1 / 3], [1 / 7, 2 / 7, 4 / 7]]])
    equal(weights, want[None], what="The table of weights")
    equal(y, [[[43 / 3 + 53, 7], [13 + 29 / 7 + 50, 41 / 7]]], what="y")
    y, weights = attend(X, small(), 2, memory=memory, mask=array([[True, True, False], [False, False, True]]))
    want = array([[[4 / 5, 1 / 5, 0], [0, 0, 1]], [[1 / 2, 1 / 2, 0], [0, 0, 1]]])
    equal(weights, want[None], what="The weights under a mask")
    equal(y, [[[65, 8], [71, 5]]], what="y under a mask")
    y, weights = attend(memory, small(), 2, memory=X[:, :1])
    equal(weights, np.ones((1, 2, 3, 1)), what="The weights on a memory of one token")
    equal(y, [[[65, 11]] * 3], what="y from a memory of one token")
