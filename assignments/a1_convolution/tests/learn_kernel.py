from __future__ import annotations

import numpy as np
from checks import criterion, equal, integers, student, unpack
from numpy import array

OK_FORMAT, name = False, "learn_kernel"


def on_paper(steps: int) -> tuple[np.ndarray, np.ndarray]:
    """w and the losses for an image with two windows, at a learning rate of 1/4."""
    x, y = array([[1.0, 2.0, 0.0], [0.0, 1.0, 3.0]]), array([[4.0, -2.0]])
    return unpack(student("convolution").learn_kernel(x, y, 2, lr=0.25, steps=steps), "w", "losses")


@criterion(
    "kernel",
    4,
    hint="What gradient has one weight, with its 2 and its mean? Which way goes a step, and how many are taken?",
)
def test_kernel() -> None:
    equal(on_paper(steps=0)[0], np.zeros((2, 2)), what="w after no step")
    equal(on_paper(steps=1)[0], [[0, 2], [-0.5, -0.5]], what="w after one step")
    equal(on_paper(steps=3)[0], [[-0.25, 2.125], [-0.65625, -0.90625]], what="w after three steps")
    x = integers(9, 12)
    y = 2 * x[:-1, 2:] - x[1:, :-2]
    w, _ = unpack(student("convolution").learn_kernel(x, y, (2, 3), lr=0.07, steps=25), "w", "losses")
    equal(w, [[0, 0, 2], [-1, 0, 0]], what="w after 25 steps, enough to learn the kernel that made y,")


@criterion("losses", 2, hint="Each loss belongs to the w before its step. What does w = 0 make of the image?")
def test_losses() -> None:
    equal(on_paper(steps=0)[1], [], what="The list of losses without a step")
    equal(on_paper(steps=3)[1], [10, 0.125, 0.2265625], what="The list of losses")
