from __future__ import annotations

import math
from typing import Any

import numpy as np
from checks import criterion, equal, student, unpack, waves
from numpy import array

OK_FORMAT, name = False, "gru_step_backward"
bonus = True

L = math.log(3)  # sigmoid(L) is 0.75 and sigmoid(-L) 0.25; tanh(L) is 0.8 and tanh(L / 2) 0.5


def on_paper() -> tuple[np.ndarray, ...]:
    """The handout's example: r = (0.25, 0.5), z = (0.75, 0.25), n = (0.5, 0.8).

    The state's share of the six sums is v, the input's share u; the biases make them so.
    """
    x, h = array([[2.0]]), array([[1.0, -1.0]])
    weight_ih = array([[1.0], [0.0], [2.0], [1.0], [1.0], [-1.0]])
    weight_hh = array([[1.0, 1.0], [0.0, 2.0], [1.0, 0.0], [0.0, 1.0], [2.0, 1.0], [1.0, -1.0]])
    u, v = array([-L - 1, 3, L - 1, -L - 1, L / 2 - 0.5, L + 2]), array([1.0, -3.0, 1.0, 1.0, 2.0, -4.0])
    return x, h, weight_ih, weight_hh, u - weight_ih @ x[0], v - weight_hh @ h[0]


def batch() -> tuple[np.ndarray, ...]:
    """Three rows of three inputs and two units."""
    return waves(3, 3), waves(3, 2) / 2, waves(6, 3), waves(6, 2, of=np.cos), waves(6), waves(6, of=np.cos)


def check(which: str, paper: Any, several: Any) -> None:
    names = ("dx", "dh", "dweight_ih", "dweight_hh", "dbias_ih", "dbias_hh")
    dy = array([[8.0, 16.0]]), waves(3, 2, of=np.cos)
    for dh_next, given, want in zip(dy, (on_paper(), batch()), (paper, several), strict=True):
        got = dict(zip(names, unpack(student("lstm").gru_step_backward(dh_next, *given), *names), strict=True))
        equal(got[which], want, rtol=1e-8, what=f"{which} of {len(dh_next)} row{'s' * (len(dh_next) > 1)}")


@criterion(
    "dx", 1, hint="dbias_ih adds up the gradients of u: is it right? Then: by which weights did x enter the three sums?"
)
def test_dx() -> None:
    check(
        "dx",
        [[-6.1575]],
        [
            [-0.1692107502, 0.2863983009, -0.2634394661],
            [0.4433944113, 0.0591575042, 0.1606980564],
            [0.1749585343, -0.1068429997, 0.08825979],
        ],
    )


@criterion(
    "dh",
    2,
    hint="dbias_hh adds up the gradients of v: is it right? Then: three ways through weights, and one without any.",
)
def test_dh() -> None:
    check(
        "dh",
        [[10.2225, -11.2625]],
        [
            [0.3436130965, 0.1486069936],
            [-0.4873085817, -0.6044349427],
            [0.6960235534, -0.0766150611],
        ],
    )


@criterion(
    "weights",
    2,
    hint="Are the biases' gradients right? Then: which of x and h did each weight meet? Rows of the batch add up.",
)
def test_weights() -> None:
    check(
        "dweight_ih",
        [
            [1.125],
            [-8.64],
            [1.5],
            [-10.8],
            [3],
            [8.64],
        ],
        [
            [0.0095121738, -0.0044464532, 0.0132627719],
            [-0.0157506, 0.000924877, -0.0388085268],
            [0.1481266889, -0.2017753845, -0.0350757998],
            [-0.018005908, 0.0368574133, 0.0321426334],
            [0.2314012896, -0.1872305192, 0.1561697613],
            [0.1781255669, 0.052185222, 0.5656331989],
        ],
    )
    check(
        "dweight_hh",
        [
            [0.5625, -0.5625],
            [-4.32, 4.32],
            [0.75, -0.75],
            [-5.4, 5.4],
            [0.375, -0.375],
            [2.16, -2.16],
        ],
        [
            [0.0015960124, -0.0024760624],
            [0.0075745815, -0.0096555325],
            [0.0705647228, 0.0200641752],
            [-0.0212803208, 0.0096508128],
            [0.1001835589, -0.0939857005],
            [-0.0465608493, 0.0472938546],
        ],
    )


@criterion(
    "biases",
    1,
    hint="What did z, n and r multiply, and which slope has each? Does n see u_n and v_n alike? Rows add up.",
)
def test_biases() -> None:
    check(
        "dbias_ih",
        [0.5625, -4.32, 0.75, -5.4, 1.5, 4.32],
        [-0.0001963511, 0.0448443252, 0.0849824653, -0.0610435016, 0.2236353481, -0.6475014179],
    )
    check(
        "dbias_hh",
        [0.5625, -4.32, 0.75, -5.4, 0.375, 2.16],
        [-0.0001963511, 0.0448443252, 0.0849824653, -0.0610435016, 0.223308559, -0.2558767064],
    )
