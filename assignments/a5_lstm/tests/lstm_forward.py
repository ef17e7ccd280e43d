from __future__ import annotations

import math
from typing import Any

import numpy as np
from checks import criterion, equal, student, unpack, waves
from numpy import array

OK_FORMAT, name = False, "lstm_forward"

L = math.log(3)  # sigmoid(L) is 0.75 and sigmoid(-L) 0.25; tanh(L) is 0.8 and tanh(L / 2) 0.5
Arrays = tuple[np.ndarray, ...]


def counter() -> Arrays:
    """A cell whose gates are all open: it adds tanh(L * x) to what it holds, 2 at first, and shows it."""
    W, b = array([[0.0, 0.0], [0.0, 0.0], [0.0, L], [0.0, 0.0]]), array([50.0, 50.0, 0.0, 50.0])
    return array([[[1.0], [0.5], [-1.0], [0.0]]]), array([[0.3]]), array([[2.0]]), W, b


def batch() -> Arrays:
    """Two sequences of three steps, with three inputs and two units."""
    return waves(2, 3, 3), waves(2, 2) / 2, waves(2, 2, of=np.cos), waves(8, 5), waves(8, of=np.cos)


def after(given: Arrays) -> Arrays:
    return unpack(student("lstm").lstm_forward(*given), "h", "c", "gates")


@criterion(
    "states",
    4,
    hint="Is one step right? Two states travel on: from where do they start, and after which step is the first entry?",
)
def test_states() -> None:
    h, c, _ = after(counter())
    equal(c, [[[2.8], [3.3], [2.5], [2.5]]], what="c of the counter")
    equal(h, np.tanh([[[2.8], [3.3], [2.5], [2.5]]]), what="h of the counter")
    h, c, _ = after(batch())
    want = [
        [0.5847415973, -0.400065032, 0.9048491977, -0.4401661469, 0.1635910763, -0.372085562],
        [-0.7547128592, -0.5077569712, -0.9621091122, -0.705857959, -0.7501145412, 0.0159181574],
    ]
    equal(c, array(want).reshape(2, 3, 2), rtol=1e-8, what="c of two sequences")
    want = [
        [0.3822243404, -0.1552479294, 0.3903559796, -0.3586191266, 0.0577901357, -0.3355167067],
        [-0.2872713544, -0.4122396022, -0.3759036977, -0.5415696785, -0.269379075, 0.0132365622],
    ]
    equal(h, array(want).reshape(2, 3, 2), rtol=1e-8, what="h of two sequences")


@criterion("gates", 2, hint="Are the states right? The gates of every step are kept, in the order of the steps.")
def test_gates() -> None:
    want = [[[1, 1, 0.8, 1], [1, 1, 0.5, 1], [1, 1, -0.8, 1], [1, 1, 0, 1]]]
    equal(after(counter())[2], want, what="The array of gates of the counter")
    want = [
        [0.8443347429, 0.5822883451, 0.129430508, 0.0936250264],
        [0.9931629787, -0.2078073613, 0.7265197357, 0.4085422319],
        [0.7369436018, 0.3626301745, 0.6267476038, 0.398388187],
        [0.7561698137, -0.7407109552, 0.5431789116, 0.8666858278],
        [0.6377492474, 0.1374309641, 0.8428064719, 0.4601372073],
        [-0.4905940241, -0.6771743278, 0.3564054157, 0.9429537793],
        [0.59661507, 0.1726317205, 0.7437047209, 0.4357920478],
        [-0.2838745114, -0.7857751629, 0.4503023423, 0.8804856678],
        [0.5535602999, 0.3429342124, 0.7529772041, 0.6541863925],
        [-0.7229037381, -0.8128122628, 0.5044223613, 0.890632821],
        [0.5703241172, 0.3864417272, 0.4829462696, 0.543011435],
        [-0.4170246749, 0.5316483368, 0.4240739083, 0.8316088214],
    ]
    equal(after(batch())[2], array(want).reshape(2, 3, 8), rtol=1e-8, what="The array of gates of two sequences")
