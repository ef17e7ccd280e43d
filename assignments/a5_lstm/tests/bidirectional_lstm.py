from __future__ import annotations

import math
from typing import Any

import numpy as np
from checks import criterion, equal, raises, student, waves
from numpy import array

OK_FORMAT, name = False, "bidirectional_lstm"

L = math.log(3)  # sigmoid(L) is 0.75 and sigmoid(-L) 0.25; tanh(L) is 0.8 and tanh(L / 2) 0.5


def counter(sign: float) -> tuple[np.ndarray, np.ndarray]:
    """A cell whose gates are all open: it adds tanh(sign * L * x) to what it holds, and shows it."""
    return array([[0.0, 0.0], [0.0, 0.0], [0.0, sign * L], [0.0, 0.0]]), array([50.0, 50.0, 0.0, 50.0])


def sums() -> np.ndarray:
    """A row of three steps and a row of two, read by two counters; the padding holds 1 and -1."""
    x = array([[1.0, 0.5, -1.0, 1.0], [0.5, 0.5, -1.0, 1.0]])[:, :, None]
    got: np.ndarray = student("lstm").bidirectional_lstm(x, array([3, 2]), [(counter(1), counter(-1))])
    return got


def two_layers() -> np.ndarray:
    """A row of two steps and a row of four, with three inputs, under two layers of two units in each direction."""
    layers = [
        ((waves(8, columns), waves(8, of=np.cos)), (waves(8, columns, of=np.cos), waves(8))) for columns in (5, 6)
    ]
    got: np.ndarray = student("lstm").bidirectional_lstm(waves(2, 4, 3), array([2, 4]), layers)
    return got


@criterion(
    "values",
    7,
    hint="At step t, which words has each direction read, and in which half is it? Is every layer spared padding?",
)
def test_values() -> None:
    equal(sums()[0, :3, 0], np.tanh([0.8, 1.3, 0.5]), what="The forward half of a row of three steps")
    equal(sums()[0, :3, 1], np.tanh([-0.5, 0.3, 0.8]), what="The backward half of a row of three steps")
    equal(sums()[1, :2], np.tanh([[0.5, -1], [1, -0.5]]), what="The output of a row of two steps")
    want = [
        [0.2412977149, -0.1056941806, -0.0393107393, -0.2984616582],
        [0.2533550676, -0.1655972954, -0.0220619786, -0.3521630532],
        [0.2748225497, -0.1283930405, -0.0283849453, -0.3146732506],
        [0.3598476214, -0.1197254665, -0.035683101, -0.2115914275],
    ]
    equal(two_layers()[1], want, rtol=1e-8, what="The output of two layers, the row of four steps,")
    want = [
        [0.1190721984, -0.0605968063, 0.0237167438, -0.3254395688],
        [0.2497060825, -0.1290533987, 0.0050979491, -0.2546286526],
    ]
    equal(two_layers()[0, :2], want, rtol=1e-8, what="The output of two layers, the row of two steps,")


@criterion("zeros", 2, hint="Behind the end of a row an LSTM goes on computing something. Nobody wants it.")
def test_zeros() -> None:
    equal(sums().shape, (2, 4, 2), what="The shape of the output of two counters")
    equal(sums()[0, 3:], [[0, 0]], what="The output behind a row of three steps")
    equal(sums()[1, 2:], [[0, 0], [0, 0]], what="The output behind a row of two steps")
    equal(two_layers()[0, 2:], np.zeros((2, 4)), what="The output of two layers behind a row of two steps")


@criterion("errors", 1, hint="Which lengths can a row of four steps have?")
def test_errors() -> None:
    bidirectional_lstm, layers = student("lstm").bidirectional_lstm, [(counter(1), counter(-1))]
    equal(np.shape(bidirectional_lstm(np.ones((2, 4, 1)), array([1, 4]), layers)), (2, 4, 2), what="The shape")
    for lengths in ([0, 4], [4, -2], [5, 1]):
        raises(bidirectional_lstm, np.ones((2, 4, 1)), array(lengths), layers)
