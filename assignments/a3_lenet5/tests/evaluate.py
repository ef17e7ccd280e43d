from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import torch
from checks import Failed, criterion, devices, equal, student, unpack
from torch import Tensor, nn

OK_FORMAT, name = False, "evaluate"


class Witness(nn.Module):
    """Hands its input on, and remembers the mode and whether gradients were recorded."""

    def __init__(self) -> None:
        super().__init__()
        self.modes: list[bool] = []
        self.recorded: list[bool] = []

    def forward(self, x: Tensor) -> Tensor:
        self.modes.append(self.training)
        self.recorded.append(torch.is_grad_enabled())
        return x


def classifier(device: str, frozen: bool) -> nn.Sequential:
    """Two classes with the probabilities 3/4 and 1/4 where x is 1, in training mode but for what is frozen."""
    linear, drop = nn.Linear(1, 2, bias=False, dtype=torch.float64), nn.Sequential(nn.Dropout(0.5))
    model = nn.Sequential(Witness(), linear, drop)
    nn.init.constant_(model[1].weight, math.log(3) / 2)
    with torch.no_grad():
        model[1].weight[1] *= -1
    model.train()
    if frozen:
        model[0].eval()
        drop[0].eval()
    return model.to(device)


def batches() -> Iterator[tuple[Tensor, Tensor]]:
    """Three samples, of which the last is of the second class, then a single one of that class; x is always 1."""
    for size, y in ((3, [0, 0, 1]), (1, [1])):
        yield torch.ones(size, 1, dtype=torch.float64), torch.tensor(y)


def evaluated(device: str, frozen: bool = False) -> tuple[Any, Any, nn.Sequential]:
    """Loss and accuracy, and the model afterwards."""
    model = classifier(device, frozen)
    loss, accuracy = unpack(student("lenet5_torch").evaluate(model, batches(), device), "loss", "accuracy")
    return loss, accuracy, model


@criterion(
    "loss", 2, hint="Two samples lose log 4/3, two log 4: what is the mean per sample? May a layer act as in training?"
)
def test_loss() -> None:
    for device in devices():
        want = (2 * math.log(4 / 3) + 2 * math.log(4)) / 4
        equal(evaluated(device)[0], want, what=f"The loss on {device}")


@criterion("accuracy", 1, hint="Two of four samples are right, all of them in the first batch. It goes from 0 to 1.")
def test_accuracy() -> None:
    for device in devices():
        equal(evaluated(device)[1], 1 / 2, what=f"The accuracy on {device}")


@criterion("modes", 2, hint="model.train() and model.eval() speak to all layers at once. What if those differed?")
def test_modes() -> None:
    for device in devices():
        for frozen in (False, True):
            want = [module.training for module in classifier(device, frozen).modules()]
            model = evaluated(device, frozen)[2]
            if any(model[0].modes):
                raise Failed("The model computes in training mode.")
            got = [module.training for module in model.modules()]
            if got != want:
                raise Failed(f"Afterwards the modules have training = {got}, before it was {want}.")


@criterion("gradient", 1, hint="PyTorch records what a gradient might need, unless it is told that none is wanted.")
def test_gradient() -> None:
    for device in devices():
        model = evaluated(device)[2]
        if not model[0].recorded or any(model[0].recorded):
            raise Failed("The model was not run, or gradients were recorded while it was.")
        if model[1].weight.grad is not None or not model[1].weight.requires_grad:
            raise Failed("Afterwards the weights have a gradient, or can no longer receive one.")
        if not torch.is_grad_enabled():
            raise Failed("Afterwards gradients are no longer recorded anywhere.")
