from __future__ import annotations

import math
from typing import Any

import numpy as np
from checks import Failed, criterion, equal, student, unpack, waves
from numpy import array

OK_FORMAT, name = False, "train"

Arrays = dict[str, np.ndarray]


def network() -> Arrays:
    """Two inputs, three states, two outputs; the names in no order."""
    return {"W": waves(2, 3), "b": waves(3) / 3, "V": waves(3, 3, of=np.cos), "U": waves(3, 2, of=np.cos)}


def trained(before: Arrays, *data: np.ndarray, **settings: float) -> tuple[Arrays, Any]:
    kept = {key: value.copy() for key, value in before.items()}
    params, losses = unpack(student("rnn").train(before, *data, **settings), "params", "losses")
    if not isinstance(params, dict) or params.keys() != kept.keys():
        raise Failed("The parameters do not come as a dictionary with the keys U, V, W and b.")
    for key, value in kept.items():
        equal(before[key], value, what=f"The given {key}, after the call,")
    return params, losses


def on_paper() -> tuple[Arrays, Any]:
    """One step of one cell: the inputs 1 and 0 lead to the states 0.6 and 0, and the second output should be 1.

    The gradient of V is -1.2 and that of b -2; those of U and W are 0. The first step of Adam moves each parameter
    by the learning rate, whatever the size of its gradient.
    """
    params = {"U": array([[math.log(2)]]), "V": array([[0.0]]), "W": array([[1.0]]), "b": array([0.0])}
    data = array([[[1.0], [0.0]]]), array([[[9.0], [1.0]]]), array([[False, True]])
    return trained(params, *data, steps=1, lr=0.25, max_norm=1.0)


def batch(steps: int) -> tuple[Arrays, Any]:
    """Three sequences of four steps; the gradients begin with a norm of about 4.9 and are clipped to 0.5."""
    mask = array([[True, False, True, True], [False, False, True, False], [False, True, False, True]])
    target = np.where(mask[..., None], 2 * waves(3, 4, 2, of=np.cos), 50.0)
    return trained(network(), waves(3, 4, 2), target, mask, steps=steps, lr=0.1, max_norm=0.5)


@criterion("parameters", 4, hint="In which order: gradients, clipping, Adam? What must a step know from the last one?")
def test_parameters() -> None:
    params, _ = on_paper()
    for key, want in {"U": [[math.log(2)]], "V": [[0.25]], "W": [[1]], "b": [0.25]}.items():
        equal(params[key], want, rtol=1e-5, what=f"{key} after one step on paper")
    params, _ = batch(steps=5)
    after = {
        "U": [[0.1685789304, -0.3802343048], [-1.1217621757, -1.2855945948], [0.8662232426, -0.025465695]],
        "V": [
            [0.8903759245, -0.8398468663, -0.531536426],
            [-1.1314792418, 1.3331961112, -0.3532145054],
            [0.0901007086, 0.3103910846, 0.6895117517],
        ],
        "W": [[0.3430976769, -1.2328819596, -0.0279115047], [-0.7191983995, -0.6223142416, -1.1906796994]],
        "b": [0.2580391852, -0.1702154413, 0.0310521023],
    }
    for key, value in after.items():
        equal(params[key], value, rtol=1e-5, what=f"{key} after five steps")


@criterion("losses", 2, hint="The first loss is that of the parameters that were given. Where does the network start?")
def test_losses() -> None:
    equal(on_paper()[1], [1], rtol=1e-5, what="The list of losses on paper")
    want = [4.2411377666, 3.1303087702, 2.6045339553, 2.2372663907, 1.9662296905]
    equal(batch(steps=5)[1], want, rtol=1e-5, what="The list of losses")
