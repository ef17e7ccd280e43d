from __future__ import annotations

import math
from typing import Any

import numpy as np
from checks import criterion, equal, student, unpack, waves
from numpy import array

OK_FORMAT, name = False, "rnn_backward"

Arrays = tuple[np.ndarray, ...]

# What arrives in front of tanh in each of the three steps on paper.
FRONT = array([[5.25, 0.5], [5.0, 7.5], [3.0, 0.0]])


def on_paper() -> Arrays:
    """dh, x, h0, h, U and V of the handout's example, a step longer.

    From the last step to the first, the gradients of the states are (4, 0), then (2, 4) + (3, 6) = (5, 10), then
    (2, -2) + (5, 2.5) = (7, 0.5). Times the slopes of tanh, (0.75, 0.64), (1, 0.75) and (0.75, 1), they are FRONT.
    """
    U, V = array([[1.0, -1.0], [2.0, 0.0]]), array([[1.0, 2.0], [0.0, -1.0]])
    states, b = array([[0.5, -0.5], [0.5, 0.0], [0.0, 0.5], [0.5, -0.6]]), array([0.5, math.log(3) / 2 - 2])
    x = (np.arctanh(states[1:]) - states[:-1] @ V.T - b) @ np.linalg.inv(U).T  # the inputs that lead to these states
    dh = array([[2.0, -2.0], [2.0, 4.0], [4.0, 0.0]])
    return dh[None], x[None], states[:1], states[None, 1:], U, V


def batch() -> Arrays:
    """The same for two sequences of four steps, two inputs and three states."""
    x, h0, U, V = waves(2, 4, 2), waves(2, 3) / 2, waves(3, 2, of=np.cos), waves(3, 3, of=np.cos)
    states = [h0]
    for t in range(4):
        states.append(np.tanh(x[:, t] @ U.T + states[-1] @ V.T + waves(3) / 3))
    return waves(2, 4, 3, of=np.cos), x, h0, np.stack(states[1:], axis=1), U, V


def check(which: str, paper: Any, several: Any) -> None:
    names = ("dx", "dh0", "dU", "dV", "db")
    for given, want, what in ((on_paper(), paper, "on paper"), (batch(), several, "of two sequences")):
        got = dict(zip(names, unpack(student("rnn").rnn_backward(*given), *names), strict=True))
        equal(got[which], want, rtol=1e-8, what=f"{which} {what}")


@criterion(
    "dx",
    2,
    hint="Is dh0 right? It has passed all steps that dx has. Then: where does your loop put the first that it finds?",
)
def test_dx() -> None:
    want = [  # two lines for each of 2 sequences
        [[-0.0340802355, 0.1237383097], [-0.2583176036, 0.1671263458]],
        [[0.5260103677, -0.3266305027], [1.0490819485, -0.5568791732]],
        [[-0.5253558836, -0.4501040056], [-1.1348094454, -0.8298934513]],
        [[-0.6051318498, 0.4572417521], [0.0838290945, -0.5447214701]],
    ]
    check("dx", [[[6.25, -5.25], [20, -5], [3, -3]]], array(want).reshape(2, 4, 2))


@criterion(
    "dh0",
    2,
    hint="What meets at h_t on the way back, from the loss and from step t + 1? And what is left before step 1?",
)
def test_dh0() -> None:
    want = [[0.1040463752, -0.2466022306, -0.1775652071], [-0.5860455952, 0.6546059591, 0.0887764163]]
    check("dh0", [[5.25, 10]], want)


@criterion(
    "dU", 3, hint="Is db right? Then: each step has its own share in U, with its own input. How do they combine?"
)
def test_dU() -> None:
    want = [[-1.1187280213, -0.6622361665], [0.4111693961, -0.9157709621], [-0.7490567623, 0.240128646]]
    check("dU", FRONT.T @ on_paper()[1][0], want)


@criterion("dV", 3, hint="Is db right? Then: which state did V meet in step t, and which in step 1?")
def test_dV() -> None:
    want = [
        [-0.3467382007, -1.0595158207, 0.1708738058],
        [0.3972924676, 0.4966568243, -0.8874469487],
        [0.3350737692, -0.6813748799, 0.4818955358],
    ]
    check("dV", [[5.125, -1.125], [4, -0.25]], want)


@criterion(
    "db", 2, hint="Is dh0 right? Then: what arrives in front of tanh, added up over the sequences, and over what else?"
)
def test_db() -> None:
    check("db", [13.25, 8], [0.717240103, 1.5413234967, 0.1190940854])
