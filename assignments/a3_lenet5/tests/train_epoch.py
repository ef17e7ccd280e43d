from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import torch
from checks import Failed, criterion, devices, equal, student
from torch import Tensor, nn

OK_FORMAT, name = False, "train_epoch"

LOG_3 = math.log(3)


class Mode(nn.Module):
    """Hands its input on, and remembers in which mode that was."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[bool] = []

    def forward(self, x: Tensor) -> Tensor:
        self.seen.append(self.training)
        return x


def classifier(device: str) -> nn.Sequential:
    """Two classes, one input, no bias: the logits are W0*x and W1*x, and W begins at zero."""
    model = nn.Sequential(Mode(), nn.Linear(1, 2, bias=False, dtype=torch.float64))
    nn.init.zeros_(model[1].weight)
    return model.to(device)


def batches(number: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Three samples, then a single one of the second class; x is always 1. They come once, and from the CPU.

    All classes are equally likely at first, so that each loss is log 2 and the mean gradient of W (-1/6, 1/6). At a
    learning rate of 3 log 3 the second class is left with the probability 1/4.
    """
    for size, y in [(3, [0, 0, 1]), (1, [1])][:number]:
        yield torch.ones(size, 1, dtype=torch.float64), torch.tensor(y)


def trained(number: int, device: str, training: bool = True) -> tuple[Any, nn.Sequential]:
    """What train_epoch returns, and the model afterwards."""
    model = classifier(device).train(training)
    optimizer = torch.optim.SGD(model.parameters(), lr=3 * LOG_3)
    return student("lenet5_torch").train_epoch(model, batches(number), optimizer, device), model


@criterion("loss", 2, hint="Four samples, four losses, the last of them log 4. What is their mean?")
def test_loss() -> None:
    for device in devices():
        equal(trained(1, device)[0], math.log(2), what=f"The loss after one batch on {device}")
        equal(trained(2, device)[0], 5 / 4 * math.log(2), what=f"The loss after two batches on {device}")


@criterion(
    "parameters",
    3,
    hint="In which order come loss, gradient and step? Each step uses the gradient of its own batch alone.",
)
def test_parameters() -> None:
    for device in devices():
        for number, want in ((1, LOG_3 / 2), (2, -7 / 4 * LOG_3)):
            weight = trained(number, device)[1][1].weight
            what = f"W after {number} step{'s' * (number > 1)} on {device}"
            equal(weight, torch.tensor([[want], [-want]], dtype=torch.float64), what=what)


@criterion("mode", 1, hint="The model may have been evaluated before. Who says that it is being trained now?")
def test_mode() -> None:
    for device in devices():
        modes = trained(2, device, training=False)[1][0].seen
        if modes != [True, True]:
            said = ", ".join("training" if mode else "evaluation" for mode in modes)
            raise Failed(f"The two batches went through the model in these modes: {said}. Expected training for both.")
