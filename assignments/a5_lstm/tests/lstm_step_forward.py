from __future__ import annotations

import math
from typing import Any

import numpy as np
from checks import criterion, equal, student, unpack, waves
from numpy import array

OK_FORMAT, name = False, "lstm_step_forward"

L = math.log(3)  # sigmoid(L) is 0.75 and sigmoid(-L) 0.25; tanh(L) is 0.8 and tanh(L / 2) 0.5
Arrays = tuple[np.ndarray, ...]
W = array(
    [
        [1.0, 0.0, 0.0],  # f
        [0.0, 1.0, 1.0],
        [1.0, 1.0, 0.0],  # i
        [0.0, 2.0, 1.0],
        [-1.0, 0.0, 1.0],  # g
        [1.0, 1.0, 1.0],
        [0.0, 1.0, 0.0],  # o
        [2.0, 0.0, 1.0],
    ]
)


def on_paper() -> Arrays:
    """x, h, c, W and b of the handout's example. The bias makes the sums before the activations what it says there."""
    sums = array([-L, 0, 0, -L, L / 2, L, math.log(4), 0])
    return array([[2.0]]), array([[1.0, -1.0]]), array([[-1.0, L - 0.4]]), W, sums - W @ array([1.0, -1.0, 2.0])


def batch() -> tuple[np.ndarray, ...]:
    """Three rows of three inputs and two units."""
    return waves(3, 3), waves(3, 2) / 2, waves(3, 2, of=np.cos), waves(8, 5), waves(8, of=np.cos)


def far(dtype: Any) -> Arrays:
    """Two units, four rows: all sums are 1000 in the first row, then -1000, 500 and -500. The cells hold 2."""
    x, h, c, W = array([[1], [-1], [0.5], [-0.5]]), np.zeros((4, 2)), np.full((4, 2), 2), array(8 * [[0, 0, 1000]])
    return tuple(each.astype(dtype) for each in (x, h, c, W, np.zeros(8)))


def after(given: Arrays) -> Arrays:
    return unpack(student("lstm").lstm_step_forward(*given), "h_next", "c_next", "gates")


@criterion(
    "states",
    5,
    hint="Rows f, i, g, o (which is no gate?), columns h, x. What is kept, written, shown? Does an exp overflow?",
)
def test_states() -> None:
    h_next, c_next, _ = after(on_paper())
    equal(c_next, [[0, L / 2]], what="c_next on paper")
    equal(h_next, [[0, 0.25]], what="h_next on paper")
    h_next, c_next, _ = after(batch())
    want = [
        [0.5847415973, -0.400065032],
        [-0.2467870817, -0.6908250677],
        [-0.0264583375, -0.3381162063],
    ]
    equal(c_next, want, rtol=1e-8, what="c_next of three rows")
    want = [
        [0.3822243404, -0.1552479294],
        [-0.1346766877, -0.5051989397],
        [-0.0104732453, -0.2997367962],
    ]
    equal(h_next, want, rtol=1e-8, what="h_next of three rows")
    for dtype in (np.float64, np.float32):
        h_next, c_next, _ = after(far(dtype))
        what = f"for sums of 1000, -1000, 500 and -500 in {dtype.__name__}"
        equal(c_next, 2 * [[3, 3], [0, 0]], what=f"c_next {what}")
        equal(h_next, 2 * [2 * [math.tanh(3)], [0, 0]], rtol=1e-6, what=f"h_next {what}")


@criterion(
    "gates",
    2,
    hint="Rows f, i, g, o of W, each through which function? Does an exp overflow? Side by side, as they were used.",
)
def test_gates() -> None:
    equal(after(on_paper())[2], [[0.25, 0.5, 0.5, 0.25, 0.5, 0.8, 0.8, 0.5]], what="The array of gates on paper")
    want = [
        [0.8443347429, 0.5822883451, 0.129430508, 0.0936250264],
        [0.9931629787, -0.2078073613, 0.7265197357, 0.4085422319],
        [0.705443542, 0.4013066749, 0.5834095842, 0.4411590246],
        [0.6787065008, -0.6947833071, 0.5567542668, 0.8440918944],
        [0.5708541021, 0.2221651982, 0.7842608032, 0.5744475398],
        [-0.7552213834, -0.5391042808, 0.3959314954, 0.9200177329],
    ]
    equal(after(batch())[2], array(want).reshape(3, 8), rtol=1e-8, what="The array of gates of three rows")
    for dtype in (np.float64, np.float32):
        what = f"The array of gates for sums of 1000, -1000, 500 and -500 in {dtype.__name__}"
        equal(after(far(dtype))[2], 2 * [8 * [1], [0, 0, 0, 0, -1, -1, 0, 0]], what=what)
