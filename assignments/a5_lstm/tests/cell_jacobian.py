from __future__ import annotations

import math
from typing import Any

import numpy as np
from checks import criterion, equal, student, waves
from numpy import array

OK_FORMAT, name = False, "cell_jacobian"

L = math.log(3)  # sigmoid(L) is 0.75 and sigmoid(-L) 0.25; tanh(L) is 0.8 and tanh(L / 2) 0.5

# The handout's example: one unit, three steps. The second column of W met the input.
ONE = (
    array([[L / 2], [L / 2], [3 * L / 8 + 0.25]]),
    array([[0.5, 0.5, 0.5, 0.8], [0.5, 0.5, L / 2, 0.5], [0.75, 0.5, 0.5, 0.9]]),
    array([[1.0, 5.0], [2.0, 6.0], [-1.0, 7.0], [4.0, 8.0]]),
)


def two() -> tuple[np.ndarray, ...]:
    """Cell states, gates and W of a run of four steps, with three inputs and two units."""
    x, h, c, W, b = waves(4, 3), waves(2) / 2, waves(2, of=np.cos), 3 * waves(8, 5), waves(8, of=np.cos)
    cells, gates = np.empty((4, 2)), np.empty((4, 8))
    for t in range(4):
        a = W @ np.concatenate([h, x[t]]) + b
        gates[t] = 1 / (1 + np.exp(-a))
        gates[t, 4:6] = np.tanh(a[4:6])
        f, i, g, o = np.split(gates[t], 4)
        cells[t] = c = f * c + i * g
        h = o * np.tanh(c)
    return cells, gates, W


def check(t: int, k: int, one: float | None, several: Any) -> None:
    cell_jacobian, what = student("lstm").cell_jacobian, f"The derivative of c_{t} with respect to c_{t - k}"
    if one is not None:
        equal(cell_jacobian(*ONE, t, k), [[one]], rtol=1e-8, what=f"{what}, one unit,")
    equal(cell_jacobian(*two(), t, k), several, rtol=1e-8, what=f"{what}, two units,")


@criterion(
    "short",
    3,
    hint="Change one entry of c_{t-k}: which step's o shows it, which columns of W read it, what moves then? k = 0?",
)
def test_short() -> None:
    check(3, 0, 1, [[1, 0], [0, 1]])
    check(1, 0, 1, [[1, 0], [0, 1]])
    check(
        2,
        1,
        0.537708937,
        [
            [1.5591271672, -0.0004637038],
            [0.7241850012, 0.335261761],
        ],
    )
    check(
        3,
        1,
        0.7417480883,
        [
            [0.8470556866, -0.2850361383],
            [0.055299663, 0.0885029061],
        ],
    )


@criterion("long", 6, hint="Is one step right? Then carry two changes on, of c and of h. What moves h, apart from c?")
def test_long() -> None:
    check(
        3,
        2,
        0.3922430467,
        [
            [1.0397104009, -0.1017813702],
            [0.0820269497, 0.0251951209],
        ],
    )
    check(
        4,
        2,
        None,
        [
            [0.5822697394, -0.1959751127],
            [0.0872947022, 0.0182497361],
        ],
    )
    check(
        4,
        3,
        None,
        [
            [0.7146959143, -0.0699768712],
            [0.113444523, 0.0036675913],
        ],
    )
