from __future__ import annotations

import math
from typing import Any

import torch
from checks import Failed, criterion, devices, equal, student
from torch import Tensor, nn

OK_FORMAT, name = False, "state_gradient_norms"

F64: dict[str, Any] = {"dtype": torch.float64}


def cell(U: list[Any], V: list[Any], b: list[float], device: str) -> nn.RNNCell:
    made = nn.RNNCell(len(U[0]), len(V), **F64)
    with torch.no_grad():
        for name, value in (("weight_ih", U), ("weight_hh", V), ("bias_ih", b), ("bias_hh", [0.0] * len(b))):
            getattr(made, name).copy_(torch.tensor(value, **F64))
    return made.to(device)


def example(device: str) -> tuple[nn.RNNCell, Tensor, Tensor, Tensor]:
    """The handout's example: from (0.5, -0.5) to (0.5, 0) to (0, 0.5), twice in a batch, with other gradients.

    The gradient of the last state, (2, 4), becomes (2, 1) at the state before; in the second row they are -2 times
    these.
    """
    c = math.log(3) / 2  # tanh(c) = 0.5
    made = cell([[1.0, -1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, -1.0]], [0.5, c - 2], device)
    x = torch.tensor([[[0.75 - c / 2, 0.75 - 3 * c / 2], [1.0, 2.0]]] * 2, **F64)
    h0, dy = torch.tensor([[0.5, -0.5]] * 2, **F64), torch.tensor([[2.0, 4.0], [-4.0, -8.0]], **F64)
    return made, x.to(device), h0.to(device), dy.to(device)


@criterion("values", 5, hint="A state acts on the last one through all states between. Ask autograd about h_t itself.")
def test_values() -> None:
    state_gradient_norms = student("rnn_torch").state_gradient_norms
    for device in devices():
        want = torch.tensor([5.0, 10.0], **F64)
        equal(state_gradient_norms(*example(device)), want, what=f"The tensor of norms on {device}")
        # All states are 0, where tanh has the slope 1: backwards from (1, 0) to (0, 2), (2, 0) and (0, 4).
        zero = cell([[1.0], [1.0]], [[0.0, 2.0], [1.0, 0.0]], [0.0, 0.0], device)
        x, h0 = torch.zeros(1, 4, 1, **F64).to(device), torch.zeros(1, 2, **F64).to(device)
        dy = torch.tensor([[1.0, 0.0]], **F64).to(device)
        want = torch.tensor([4.0, 2.0, 2.0, 1.0], **F64)
        equal(state_gradient_norms(zero, x, h0, dy), want, what=f"The tensor of norms around 0 on {device}")
        want = torch.tensor([1.0], **F64)
        equal(state_gradient_norms(zero, x[:, :1], h0, dy), want, what=f"The tensor of norms of one step on {device}")


@criterion("unchanged", 1, hint="backward() adds to the gradient of everything that it passes. There is a way without.")
def test_unchanged() -> None:
    for earlier in (None, 7.0):
        made, x, h0, dy = example("cpu")
        for parameter in made.parameters():
            parameter.grad = None if earlier is None else torch.full_like(parameter, earlier)
        student("rnn_torch").state_gradient_norms(made, x, h0, dy)
        for key, parameter in made.named_parameters():
            if not parameter.requires_grad:
                raise Failed(f"After the call, {key} no longer requires a gradient.")
            if earlier is None and parameter.grad is not None:
                raise Failed(f"After the call, the cell's {key} has a gradient. Before it had none.")
            if earlier is not None:
                if parameter.grad is None:
                    raise Failed(f"After the call, the cell's {key} has lost its gradient.")
                want = torch.full_like(parameter, earlier)
                equal(parameter.grad, want, what=f"The gradient of {key}, after the call,")
