from __future__ import annotations

import math
from typing import Any

import numpy as np
from checks import Failed, criterion, equal, student, unpack, waves
from numpy import array

OK_FORMAT, name = False, "train"

SHAPES = {"conv1": (6, 1, 5, 5), "conv2": (16, 6, 5, 5), "fc1": (120, 400), "fc2": (84, 120), "fc3": (10, 84)}
FOUR_BATCHES = [array([4, 0, 2]), array([6, 1]), array([5, 3, 0, 2]), array([1])]


def one_path() -> tuple[dict[str, np.ndarray], np.ndarray]:
    """The network and the two images of the tests of lenet5_loss_and_gradients: all logits are 0."""
    params = {}
    for layer, shape in SHAPES.items():
        params[f"{layer}.weight"], params[f"{layer}.bias"] = np.zeros(shape), np.zeros(shape[0])
    params["conv1.weight"][2, 0, 1, 3], params["conv1.bias"][2] = 2, -1
    params["conv2.weight"][5, 2, 0, 4], params["conv2.bias"][5] = 4, -2
    params["fc1.weight"][7, 138], params["fc1.bias"][7] = 0.5, 1
    params["fc2.weight"][3, 7], params["fc2.bias"][3] = 0.2, -1
    params["fc3.weight"][9, 3], params["fc3.bias"][9] = 2, -2
    x = np.zeros((2, 1, 32, 32))
    x[0, 0, 9, 25] = x[1, 0, 9, 26] = 3
    return params, x


def network() -> dict[str, np.ndarray]:
    """Parameters under which about half of all linear units are active."""
    params = {}
    for layer, shape in SHAPES.items():
        params[f"{layer}.weight"] = waves(*shape) * 2 / math.sqrt(math.prod(shape[1:]))
        params[f"{layer}.bias"] = waves(shape[0]) / 2
    return params


def trained(batches: list[np.ndarray], **settings: float) -> tuple[dict[str, float], Any]:
    """How far each parameter moves along waves(..., of=np.cos) in these batches of seven images, and the losses."""
    before = network()
    x, y = waves(7, 1, 32, 32), array([3, 8, 1, 0, 9, 3, 5])
    params, losses = unpack(student("lenet5").train(before, x, y, batches, **settings), "params", "losses")
    if not isinstance(params, dict) or params.keys() != before.keys():
        raise Failed("The parameters do not come as a dictionary with the keys of the given one.")
    moved = {}
    for key, start in network().items():
        equal(before[key], start, what=f"The given {key}, after the call,")
        if np.shape(params[key]) != start.shape:
            raise Failed(f"{key} has shape {np.shape(params[key])}, expected {start.shape}.")
        moved[key] = float(np.sum((params[key] - start) * waves(*start.shape, of=np.cos)))
    return moved, losses


@criterion(
    "parameters",
    5,
    hint="Whose images and labels does a step see? With which parameters, velocity and momentum does it begin?",
)
def test_parameters() -> None:
    params, x = one_path()
    after, _ = unpack(student("lenet5").train(params, x, array([9, 0]), [array([0, 1])], lr=0.5), "params", "losses")
    for key, place, want in (
        ("conv1.weight", (2, 0, 1, 3), 2 + 0.5 * 0.96),
        ("conv2.bias", 5, -2 + 0.5 * 0.08),
        ("fc3.bias", 9, -2 + 0.5 * 0.4),
        ("fc3.bias", 1, -0.5 * 0.1),
    ):
        equal(after[key][place], want, what=f"Entry {place} of {key} after one step on the single path")
    moved, _ = trained(FOUR_BATCHES, lr=0.02)
    for key, want in {
        "conv1.weight": -0.089671264822,
        "conv1.bias": -0.077792469866,
        "conv2.weight": -0.36940392511,
        "conv2.bias": -0.059009337336,
        "fc1.weight": -0.041620410433,
        "fc1.bias": -0.01525415792,
        "fc2.weight": -0.019269285395,
        "fc2.bias": -0.059238489636,
        "fc3.weight": 0.17998727255,
        "fc3.bias": -0.054991762989,
    }.items():
        equal(moved[key], want, rtol=1e-6, what=f"The way of {key} in four steps")
    moved, _ = trained(FOUR_BATCHES[1:3], lr=0.01, momentum=0.5)
    for key, want in {"conv1.weight": -0.089492039853, "fc1.weight": 0.41607301056}.items():
        equal(moved[key], want, rtol=1e-6, what=f"The way of {key} in two steps with momentum 0.5")
    moved, _ = trained([], lr=0.02)
    equal(moved["conv1.weight"], 0, what="The way of conv1.weight in no step")


@criterion("losses", 3, hint="Each loss is the mean of one batch, before the step that this batch leads to.")
def test_losses() -> None:
    params, x = one_path()
    _, losses = unpack(student("lenet5").train(params, x, array([9, 0]), [array([1])], lr=0.5), "params", "losses")
    equal(losses, [math.log(10)], what="The list of losses on the single path")
    _, losses = trained(FOUR_BATCHES, lr=0.02)
    equal(losses, [5.692907889, 6.415208835, 2.873294377, 2.548938597], rtol=1e-8, what="The list of losses")
    _, losses = trained([], lr=0.02)
    equal(losses, [], what="The list of losses without a batch")
