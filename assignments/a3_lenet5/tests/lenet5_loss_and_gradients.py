from __future__ import annotations

import math
from typing import Any

import numpy as np
from checks import Failed, criterion, equal, student, unpack, waves
from numpy import array

OK_FORMAT, name = False, "lenet5_loss_and_gradients"

SHAPES = {"conv1": (6, 1, 5, 5), "conv2": (16, 6, 5, 5), "fc1": (120, 400), "fc2": (84, 120), "fc3": (10, 84)}
BATCH = array([9, 0])  # the classes of the two images on the single path
SLOPES = {  # measured by central differences, along waves(..., of=np.cos)
    "fc3.weight": 1.6743739408,
    "fc3.bias": 0.57518112496,
    "fc2.weight": 3.1311482411,
    "fc2.bias": 1.1289892391,
    "fc1.weight": -23.755313549,
    "fc1.bias": 1.0767380157,
    "conv2.weight": -15.119047811,
    "conv2.bias": 0.79003368052,
    "conv1.weight": 0.28782068327,
    "conv1.bias": -1.2089002418,
}


def one_path() -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Parameters that are all zero but for one weight and one bias a layer, and two images with one bright pixel.

    In both images 3 becomes 2*3 - 1 = 5, then 4*5 - 2 = 18, 0.5*18 + 1 = 10, 0.2*10 - 1 = 1, and 2*1 - 2 = 0: all
    logits are 0.
    """
    params = {}
    for layer, shape in SHAPES.items():
        params[f"{layer}.weight"], params[f"{layer}.bias"] = np.zeros(shape), np.zeros(shape[0])
    params["conv1.weight"][2, 0, 1, 3], params["conv1.bias"][2] = 2, -1
    params["conv2.weight"][5, 2, 0, 4], params["conv2.bias"][5] = 4, -2
    params["fc1.weight"][7, 138], params["fc1.bias"][7] = 0.5, 1  # 138 = (5 * 5 + 2) * 5 + 3
    params["fc2.weight"][3, 7], params["fc2.bias"][3] = 0.2, -1
    params["fc3.weight"][9, 3], params["fc3.bias"][9] = 2, -2
    x = np.zeros((2, 1, 32, 32))
    x[0, 0, 9, 25] = x[1, 0, 9, 26] = 3  # they come to different places of one pooling window
    return params, x


def network() -> dict[str, np.ndarray]:
    """Parameters under which about half of all linear units are active."""
    params = {}
    for layer, shape in SHAPES.items():
        params[f"{layer}.weight"] = waves(*shape) * 2 / math.sqrt(math.prod(shape[1:]))
        params[f"{layer}.bias"] = waves(shape[0]) / 2
    return params


def loss_and_gradients(*args: Any) -> tuple[Any, dict[str, Any]]:
    loss, grads = unpack(student("lenet5").lenet5_loss_and_gradients(*args), "loss", "gradients")
    if not isinstance(grads, dict):
        raise Failed(f"The second result is of type {type(grads).__name__}, expected a dictionary of gradients.")
    return loss, grads


def along(gradient: Any, key: str) -> float:
    """The slope of the loss when this parameter moves along waves(..., of=np.cos)."""
    direction = waves(*np.shape(network()[key]), of=np.cos)
    if np.shape(gradient) != direction.shape:
        raise Failed(f"The gradient of {key} has shape {np.shape(gradient)}, expected {direction.shape}.")
    return float(np.sum(direction * gradient))


def check(layer: str, weight: dict[tuple[int, ...], float], bias: dict[int, float]) -> None:
    """Hold the gradients of one layer to these entries, the others being 0, and on the other network to its slopes."""
    _, on_path = loss_and_gradients(*one_path(), BATCH)
    _, grads = loss_and_gradients(network(), waves(2, 1, 32, 32), array([3, 8]))
    for key, entries in ((f"{layer}.weight", weight), (f"{layer}.bias", bias)):
        if key not in on_path or key not in grads:
            raise Failed(f"The dictionary of gradients has no {key}.")
        want = np.zeros_like(one_path()[0][key])
        for place, value in entries.items():
            want[place] = value
        equal(on_path[key], want, what=f"The gradient of {key} on the single path")
        equal(along(grads[key], key), SLOPES[key], rtol=1e-7, what=f"The slope of the loss along {key}")


@criterion("loss", 1, hint="What do ten equal logits say about each class? Which number may be taken off all of them?")
def test_loss() -> None:
    loss, _ = loss_and_gradients(*one_path(), BATCH)
    equal(loss, math.log(10), what="The loss of ten equal logits")
    loss, _ = loss_and_gradients(network(), waves(2, 1, 32, 32), array([3, 8]))
    equal(loss, 6.821628213973, what="The loss")
    params, x = one_path()
    x[1] *= 1001 / 3  # the pixel becomes 1001, and logit 9 of this image 1.6 * 1001 - 4.8
    loss, _ = loss_and_gradients(params, x, BATCH)
    equal(loss, (math.log(10) + 1596.8) / 2, what="The loss of one dark and one bright image")
    params, x = one_path()
    for large, want in ((1000, 500), (-1000, (math.log(9) + 1000 + math.log(9)) / 2)):
        params["fc3.bias"][0] = large
        loss, _ = loss_and_gradients(params, x, BATCH)
        equal(loss, want, what=f"The loss with a logit of {large}")


@criterion("fc3", 1, hint="Each class has the probability 0.1. What is a logit's gradient, in a mean over two images?")
def test_fc3() -> None:
    bias = {k: -0.4 if k in (0, 9) else 0.1 for k in range(10)}
    check("fc3", {(k, 3): value for k, value in bias.items()}, bias)


@criterion(
    "fc2",
    1,
    hint="Is fc3 right? Then from logit 9 through its weight of 2; ReLU passes what it passed on the way there.",
)
def test_fc2() -> None:
    check("fc2", {(3, 7): -8}, {3: -0.8})


@criterion(
    "fc1",
    2,
    hint="Is fc2 right? Then: -0.8 through a weight of 0.2. Which feature did the weight meet, how large was it?",
)
def test_fc1() -> None:
    check("fc1", {(7, 138): -2.88}, {7: -0.16})


@criterion(
    "conv2", 2, hint="Is fc1 right? Then: from feature 138 to a place of map 5, through the window that this place won."
)
def test_conv2() -> None:
    check("conv2", {(5, 2, 0, 4): -0.4}, {5: -0.08})


@criterion(
    "conv1",
    2,
    hint="Is conv2 right? Each image has a winner of its own in the pooling. Which pixel did the weight meet there?",
)
def test_conv1() -> None:
    check("conv1", {(2, 0, 1, 3): -0.96}, {2: -0.32})
