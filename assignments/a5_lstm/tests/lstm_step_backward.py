from __future__ import annotations

import math
from typing import Any

import numpy as np
from checks import criterion, equal, student, unpack, waves
from numpy import array

OK_FORMAT, name = False, "lstm_step_backward"

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
    """dh_next, dc_next, x, h, c, c_next, gates and W of the handout's example."""
    dh_next, dc_next = array([[5.0, 4.0]]), array([[1.0, 0.5]])
    x, h, c, c_next = array([[2.0]]), array([[1.0, -1.0]]), array([[-1.0, L - 0.4]]), array([[0.0, L / 2]])
    return dh_next, dc_next, x, h, c, c_next, array([[0.25, 0.5, 0.5, 0.25, 0.5, 0.8, 0.8, 0.5]]), W


def batch() -> Arrays:
    """Three rows of three inputs and two units."""
    x, h, c, W, b = waves(3, 3), waves(3, 2) / 2, waves(3, 2, of=np.cos), waves(8, 5), waves(8, of=np.cos)
    a = np.concatenate([h, x], axis=1) @ W.T + b
    gates = 1 / (1 + np.exp(-a))
    gates[:, 4:6] = np.tanh(a[:, 4:6])
    c_next = gates[:, :2] * c + gates[:, 2:4] * gates[:, 4:6]
    return waves(3, 2), waves(3, 2)[::-1], x, h, c, c_next, gates, W


def check(which: str, paper: Any, several: Any) -> None:
    names = ("dx", "dh", "dc", "dW", "db")
    for given, want in ((on_paper(), paper), (batch(), several)):
        got = dict(zip(names, unpack(student("lstm").lstm_step_backward(*given), *names), strict=True))
        equal(got[which], want, rtol=1e-8, what=f"{which} of {len(given[0])} row{'s' * (len(given[0]) > 1)}")


@criterion(
    "dx", 2, hint="db holds the gradients of the four sums: is it right? Then: which columns of W met the input?"
)
def test_dx() -> None:
    several = [
        [0.291113081, 0.0195732087, -0.3423171238],
        [0.1939245891, 0.0084501277, -0.2760927735],
        [0.9473745541, 0.1811981458, -0.7372869408],
    ]
    check("dx", [[3.2043061443]], several)


@criterion("dh", 2, hint="Is db right? Then: which columns of W met h? Has h any other way to the new states?")
def test_dh() -> None:
    several = [
        [-0.0661288783, -0.3020390532],
        [0.0927764225, -0.0485335034],
        [0.4269655214, -0.1948493344],
    ]
    check("dh", [[-1.0075, 1.7543061443]], several)


@criterion(
    "dc",
    2,
    hint="Two read c_next: what does each send back, and through which slope? Then: what did the old cell meet?",
)
def test_dc() -> None:
    several = [
        [0.2615602109, -0.7315388198],
        [0.4431182312, -0.1781270155],
        [0.450464069, -0.3493340725],
    ]
    check("dc", [[1.25, 1]], several)


@criterion(
    "dW", 3, hint="Is db right? Then: which row of W made which sum, and which entry of [h, x] did each column meet?"
)
def test_dW() -> None:
    da = array([-0.9375, 0.3493061443, 0.625, 0.3, 1.875, 0.18, 0, 0.5])
    several = [
        [-0.0279298748, -0.0862245698, -0.1300025845, 0.1753810107, 0.0063167375],
        [0.102779215, -0.1075241156, 0.1055057302, -0.1326869979, -0.040875593],
        [0.0426091442, 0.0219679655, 0.0955091916, -0.1327179392, -0.0249631683],
        [0.0112746065, -0.1220883859, -0.2008880139, 0.1638227305, -0.1968031638],
        [0.0233630495, -0.1605112177, -0.3100383923, 0.2180516262, -0.3632852902],
        [-0.0258209849, 0.3749067911, 0.5455734426, -0.490924043, 0.4576754461],
        [0.0318829969, -0.0301578573, 0.0802996965, -0.062541681, 0.0601214785],
        [0.0323368574, -0.0413505628, 0.0292695361, -0.033717645, -0.0088279607],
    ]
    check("dW", np.outer(da, [1, -1, 2]), several)


@criterion(
    "db",
    2,
    hint="Is dc right? Then: what did f, i, g and o meet, and which slope has each value? Rows of the batch add up.",
)
def test_db() -> None:
    several = [
        0.0946892796,
        0.3366343257,
        0.0374498925,
        0.3054091515,
        0.4640906436,
        -0.8545805185,
        0.0641956194,
        0.1159446982,
    ]
    check("db", [-0.9375, 0.3493061443, 0.625, 0.3, 1.875, 0.18, 0, 0.5], several)
