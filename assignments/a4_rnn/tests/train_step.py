from __future__ import annotations

from typing import Any

import torch
from checks import criterion, devices, equal, student, unpack
from torch import Tensor, nn

OK_FORMAT, name = False, "train_step"


def relative(prediction: Tensor, y: Tensor) -> Tensor:
    """Half of the squared error, relative to the target."""
    return ((prediction - y) ** 2 / (2 * y)).sum()


def trained(steps: int, device: str, stale: float | None = None) -> tuple[list[Any], list[Any], Any]:
    """Losses and norms of some steps, and the model afterwards: one output of two inputs, from zero.

    x is (2, 2) and the target 6. The gradient of weights and bias is (prediction - 6) / 6 times (2, 2, 1), whose norm
    is 3; it is clipped to 1.5, and the learning rate is 1.
    """
    model = nn.Linear(2, 1, dtype=torch.float64).to(device)
    for parameter in model.parameters():
        nn.init.zeros_(parameter)
        if stale is not None:
            parameter.grad = torch.full_like(parameter, stale)
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    x, y = torch.full((1, 2), 2.0, dtype=torch.float64), torch.full((1, 1), 6.0, dtype=torch.float64)
    losses, norms = [], []
    for _ in range(steps):
        result = student("rnn_torch").train_step(model, x.to(device), y.to(device), relative, optimizer, 1.5)
        loss, norm = unpack(result, "loss", "norm")
        losses.append(loss)
        norms.append(norm)
    return losses, norms, model


@criterion(
    "loss",
    1,
    hint="The first prediction is 0, the target 6: which does loss_fn take first, and before or after the step?",
)
def test_loss() -> None:
    for device in devices():
        losses, _, _ = trained(3, device)
        for step, (loss, want) in enumerate(zip(losses, (3, 0.1875, 0.046875), strict=True), start=1):
            equal(loss, want, rtol=1e-5, what=f"The loss before step {step} on {device}")


@criterion("norm", 2, hint="The norm of all parameters' gradients together, of this loss alone, before it was clipped.")
def test_norm() -> None:
    for device in devices():
        for stale in (None, 7.0):
            _, norms, _ = trained(3, device, stale)
            for step, (norm, want) in enumerate(zip(norms, (3, 0.75, 0.375), strict=True), start=1):
                equal(norm, want, rtol=1e-5, what=f"The norm in step {step} on {device}")


@criterion("parameters", 3, hint="Five things happen in a step. In which order? What is left from the step before?")
def test_parameters() -> None:
    for device in devices():
        for stale in (None, 7.0):
            for steps, want in ((1, 1.0), (2, 1.5), (3, 1.25)):
                _, _, model = trained(steps, device, stale)
                what = f"after {steps} step{'s' * (steps > 1)} on {device}"
                weight = torch.full((1, 2), want, dtype=torch.float64)
                equal(model.weight, weight, rtol=1e-5, what=f"The weight {what}")
                equal(model.bias, weight[0, :1] / 2, rtol=1e-5, what=f"The bias {what}")
