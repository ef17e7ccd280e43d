from __future__ import annotations

import math
from typing import Any

import torch
from checks import Failed, criterion, devices, equal, student
from torch import nn

OK_FORMAT, name = False, "packed_final_states"

L = math.log(3)  # tanh(L) is 0.8 and tanh(L / 2) 0.5


def counters(device: str) -> nn.LSTM:
    """One unit in each direction, with all gates open: it adds tanh(L * x), backward tanh(-L * x). The sum shows."""
    lstm = nn.LSTM(1, 1, batch_first=True, bidirectional=True, dtype=torch.float64)
    for key, parameter in lstm.named_parameters():
        nn.init.zeros_(parameter)
        if "bias_ih" in key:
            parameter.data[[0, 1, 3]] = 50
        if "weight_ih" in key:
            parameter.data[2] = -L if "reverse" in key else L
    return lstm.to(device)


def deep(device: str) -> nn.LSTM:
    """Three layers, three inputs, two units in each direction."""
    torch.manual_seed(1)
    return nn.LSTM(3, 2, 3, batch_first=True, bidirectional=True, dtype=torch.float64).to(device)


def summary(lstm: nn.LSTM, x: Any, lengths: list[int]) -> Any:
    return student("lstm_torch").packed_final_states(lstm, x, torch.tensor(lengths))


@criterion(
    "values",
    3,
    hint="In which layer, at which step has each direction read all of its row and no more? Whose row is whose?",
)
def test_values() -> None:
    want = torch.tanh(torch.tensor([[1.3, -1.3], [1, -1], [0.5, -0.5]], dtype=torch.float64))
    for device in devices():
        rows = [[1, 0.5, 1, 1], [1, 0.5, -1, 0.5], [0.5, -1, -1, -1]]
        x = torch.tensor(rows, dtype=torch.float64, device=device)[:, :, None]
        equal(summary(counters(device), x, [2, 4, 1]), want, what=f"The sums on {device}")
        equal(summary(counters(device), x[[0, 2]], [2, 1]), want[[0, 2]], what=f"The sums of two rows on {device}")
        x = torch.tensor([[math.cos(k * k) for k in range(45)]], dtype=torch.float64, device=device).reshape(3, 5, 3)
        got = summary(deep(device), x, [2, 5, 4])
        for n, length in enumerate((2, 5, 4)):
            _, (h, _) = deep(device)(x[n : n + 1, :length])
            alone = torch.cat([h[4], h[5]], dim=1).cpu()
            equal(got[n : n + 1], alone, what=f"Row {n} of three layers on {device}")


@criterion(
    "gradients",
    1,
    hint="Are the values right? Autograd follows tensor operations only: no NumPy, no .data, no .detach().",
)
def test_gradients() -> None:
    for device in devices():
        x = torch.linspace(-1, 1, 24, dtype=torch.float64, device=device).reshape(2, 4, 3).requires_grad_()
        lstm = deep(device)
        got = summary(lstm, x, [2, 4])
        if not getattr(got, "requires_grad", False):
            raise Failed("The states do not depend on the parameters for autograd: backward has nothing to follow.")
        got.backward(torch.linspace(1, 2, 8, dtype=torch.float64, device=device).reshape(2, 4))
        if x.grad is None or any(parameter.grad is None for parameter in lstm.parameters()):
            raise Failed("x or a parameter receives no gradient.")
        reached = [[bool(step.any()) for step in row] for row in x.grad]
        if reached != [[True, True, False, False], [True, True, True, True]]:
            raise Failed(f"Gradients reach these steps: {reached}. Expected the steps within the lengths 2 and 4.")
