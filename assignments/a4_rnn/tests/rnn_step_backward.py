from __future__ import annotations

import math
from typing import Any

import numpy as np
from checks import criterion, equal, student, unpack, waves
from numpy import array

OK_FORMAT, name = False, "rnn_step_backward"

Arrays = tuple[np.ndarray, ...]


def on_paper() -> Arrays:
    """dh_next, x, h, h_next, U and V of the handout's example; the slopes of tanh are 1 and 0.75."""
    U, V = array([[1.0, -1.0], [2.0, 0.0]]), array([[1.0, 2.0], [0.0, -1.0]])
    return array([[2.0, 4.0]]), array([[1.0, 2.0]]), array([[0.5, 0.0]]), array([[0.0, 0.5]]), U, V


def batch() -> Arrays:
    """The same for three sequences, two inputs and three states."""
    x, h, U, V = waves(3, 2), waves(3, 3) / 2, waves(3, 2, of=np.cos), waves(3, 3, of=np.cos)
    return waves(3, 3, of=np.cos), x, h, np.tanh(x @ U.T + h @ V.T + waves(3) / 3), U, V


def check(which: str, paper: Any, several: Any) -> None:
    names = ("dx", "dh", "dU", "dV", "db")
    for given, want in ((on_paper(), paper), (batch(), several)):
        got = dict(zip(names, unpack(student("rnn").rnn_step_backward(*given), *names), strict=True))
        equal(got[which], want, rtol=1e-8, what=f"{which} of {len(given[0])} sequence{'s' * (len(given[0]) > 1)}")


@criterion(
    "dx", 1, hint="db adds up what arrives in front of tanh: is it right? Then: by which entries of U did x[d] act?"
)
def test_dx() -> None:
    want = [[-0.0068930486, 0.1986335437], [-1.1702072035, -0.6683017148], [0.843851054, -0.2818137264]]
    check("dx", [[8, -2]], want)


@criterion("dh", 2, hint="Is db right? Then: which entries of V did one entry of h meet: a row of V, or a column?")
def test_dh() -> None:
    want = [
        [0.1939091636, -0.4028965252, -0.2697015247],
        [-1.1273014112, 1.1103282381, 0.0902561014],
        [0.3084435634, 0.2032175811, 0.3965718002],
    ]
    check("dh", [[2, 1]], want)


@criterion(
    "dU", 2, hint="Is db right? Then: U[i, d] carries x[d] to state i, once in each sequence. The sequences add up."
)
def test_dU() -> None:
    want = [[-0.0888498718, -0.1893611138], [0.1862597922, -0.136831924], [-0.3854274382, -0.5217397221]]
    check("dU", [[2, 4], [3, 6]], want)


@criterion("dV", 2, hint="Is db right? Then: V[i, j] carried the state j of which time to the state i of which time?")
def test_dV() -> None:
    want = [
        [-0.0148595977, 0.0864948605, 0.1193652648],
        [-0.2556630088, 0.0461494949, -0.5312148538],
        [-0.4658714615, 0.4676592098, -0.2374812449],
    ]
    check("dV", [[1, 0], [1.5, 0]], want)


@criterion(
    "db", 1, hint="Does b act before tanh, or behind it? Which slope follows from which state? In how many sequences?"
)
def test_db() -> None:
    check("db", [2, 3], [-0.027401929, 0.7537566924, 0.3715956567])
