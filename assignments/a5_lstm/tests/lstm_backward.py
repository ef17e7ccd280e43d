from __future__ import annotations

import math
from typing import Any

import numpy as np
from checks import criterion, equal, student, unpack, waves
from numpy import array

OK_FORMAT, name = False, "lstm_backward"

L = math.log(3)  # sigmoid(L) is 0.75 and sigmoid(-L) 0.25; tanh(L) is 0.8 and tanh(L / 2) 0.5
NAMES = ("dx", "dh0", "dc0", "dW", "db")


def counter() -> dict[str, Any]:
    """All gates are open, and the cell adds tanh(L * x) to the 2 it holds. The loss is twice its last value."""
    x, W = array([[[1.0], [0.5], [-1.0], [0.0]]]), array([[0.0, 0.0], [0.0, 0.0], [0.0, L], [0.0, 0.0]])
    c, gates = array([[[2.8], [3.3], [2.5], [2.5]]]), np.ones((1, 4, 4))
    gates[0, :, 2] = 0.8, 0.5, -0.8, 0
    return back(np.zeros((1, 4, 1)), array([[2.0]]), x, array([[0.3]]), array([[2.0]]), np.tanh(c), c, gates, W)


def batch() -> dict[str, Any]:
    """Two sequences of three steps, with three inputs and two units; h, c and gates as in lstm_forward's tests."""
    x, h0, c0, W, b = waves(2, 3, 3), waves(2, 2) / 2, waves(2, 2, of=np.cos), waves(8, 5), waves(8, of=np.cos)
    h, c, states = h0, c0, []
    for t in range(3):
        a = np.concatenate([h, x[:, t]], axis=1) @ W.T + b
        gates = 1 / (1 + np.exp(-a))
        gates[:, 4:6] = np.tanh(a[:, 4:6])
        f, i, g, o = np.hsplit(gates, 4)
        c = f * c + i * g
        h = o * np.tanh(c)
        states.append((h, c, gates))
    return back(
        waves(2, 3, 2), waves(2, 2)[::-1], x, h0, c0, *(np.stack(s, axis=1) for s in zip(*states, strict=True)), W
    )


def back(*given: np.ndarray) -> dict[str, Any]:
    return dict(zip(NAMES, unpack(student("lstm").lstm_backward(*given), *NAMES), strict=True))


@criterion(
    "dx",
    2,
    hint="Are dh0 and dc0 right? They have passed all steps. Then: in which order are the gradients put together?",
)
def test_dx() -> None:
    equal(counter()["dx"], 2 * L * array([[[0.36], [0.75], [0.36], [1]]]), what="dx of the counter")
    want = [
        [0.0945308693, 0.081117507, -0.2629278855],
        [0.2367134225, 0.0174250277, -0.2562539853],
        [0.4927594107, -0.0039444054, -0.4228059798],
        [0.1185596562, -0.0985432265, 0.1756916153],
        [0.3876853497, -0.1053050587, -0.2061768729],
        [0.9202953766, -0.2010499163, -0.1689517387],
    ]
    equal(batch()["dx"], array(want).reshape(2, 3, 3), rtol=1e-8, what="dx of two sequences")


@criterion(
    "initial",
    3,
    hint="Two gradients walk back: where do they start, what joins them on the way, which h and c did a step meet?",
)
def test_initial() -> None:
    got = counter()
    equal(got["dc0"], [[2]], what="dc0 of the counter")
    equal(got["dh0"], [[0]], what="dh0 of the counter")
    got = batch()
    want = [
        [0.1252672495, -0.2333211976],
        [0.0126333084, 0.0819054605],
    ]
    equal(got["dh0"], want, rtol=1e-8, what="dh0 of two sequences")
    want = [
        [0.6646193905, -0.2733919571],
        [0.0163988814, 0.0729257867],
    ]
    equal(got["dc0"], want, rtol=1e-8, what="dc0 of two sequences")


@criterion(
    "parameters",
    4,
    hint="Are dh0 and dc0 right? Then: which h did W meet in step t, which in step 1? How do the shares combine?",
)
def test_parameters() -> None:
    got = counter()
    h = np.tanh([2.8, 3.3, 2.5])
    from_h = 2 * (0.36 * 0.3 + 0.75 * h[0] + 0.36 * h[1] + h[2])
    equal(got["dW"], [[0, 0], [0, 0], [from_h, 0.75], [0, 0]], what="dW of the counter")
    equal(got["db"], [0, 0, 4.94, 0], what="db of the counter")
    got = batch()
    want = [
        [0.1957132274, 0.1277771253, 0.2844314618, -0.074113408, 0.1345070907],
        [-0.0378169077, -0.1842223662, -0.215756454, 0.0005165844, -0.1678832197],
        [0.1180351711, 0.0571875112, 0.236514152, -0.1662249734, 0.0991765703],
        [0.1113696099, -0.0378776189, -0.0722803108, 0.1930288727, -0.2039744072],
        [-0.085526188, -0.4221021132, -0.8181499243, 0.3953030475, -0.6217191316],
        [0.0725608574, 0.4240562495, 0.7575225397, -0.2687018355, 0.5221504005],
        [0.1561495823, -0.0158852014, 0.0945435882, 0.1294326558, -0.1326978996],
        [0.033033272, -0.0429072325, 0.0555274013, -0.071369762, 0.0041598875],
    ]
    equal(got["dW"], want, rtol=1e-8, what="dW of two sequences")
    want = [
        -0.1909071931,
        0.3871237384,
        -0.0568991962,
        0.1605899417,
        0.9949121468,
        -0.9290868796,
        0.2681532821,
        0.0951006542,
    ]
    equal(got["db"], want, rtol=1e-8, what="db of two sequences")
