from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from checks import Failed, criterion, devices, equal, student
from torch import nn

OK_FORMAT, name = False, "to_torch"

L = math.log(2)
STATES = [[[-0.6, 0.6, -0.6], [0, -0.6, 0.6], [0.6, 0, -0.6]], [[0, 0, 0], [0.6, 0, 0.6], [0, 0.6, 0]]]


def parameters(dtype: Any = np.float64) -> list[np.ndarray]:
    """U, V and b of the three memory cells of rnn_forward's tests."""
    U = [[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]]
    V = [[0.0, 0.0, 0.0], [1 / 0.6, 0.0, 0.0], [0.0, 1 / 0.6, 0.0]]
    return [np.array(L * np.array(a), dtype) for a in (U, V, [1.0, 0.0, 0.0])]


def module(given: list[np.ndarray]) -> Any:
    rnn = student("rnn_torch").to_torch(*given)
    if not isinstance(rnn, nn.RNN):
        raise Failed(f"The result is of type {type(rnn).__name__}, expected nn.RNN.")
    return rnn


def states(rnn: nn.RNN, device: str) -> Any:
    """The states of two sequences of three steps."""
    x = torch.tensor([[[-2, 0], [-1, 0], [0, 0]], [[-1, -1], [0, 1], [-1, 0]]], dtype=torch.float64)
    h0 = torch.tensor([[[0.6, -0.6, 0.0], [0.0, 0.6, -0.6]]], dtype=torch.float64)
    return rnn.to(device, torch.float64)(x.to(device), h0.to(device))[0]


@criterion("values", 3, hint="Which of its weights is U, and which V? It adds two biases. Which axis comes first?")
def test_values() -> None:
    want = torch.tensor(STATES, dtype=torch.float64)
    for device in devices():
        equal(states(module(parameters()), device), want, what=f"The array of states on {device}")


@criterion("dtype", 1, hint="PyTorch makes parameters in float32 unless you say what you want.")
def test_dtype() -> None:
    for theirs, mine in ((np.float32, torch.float32), (np.float64, torch.float64)):
        for key, parameter in module(parameters(theirs)).named_parameters():
            if parameter.dtype != mine:
                raise Failed(f"{key} is {parameter.dtype}, while U is {np.dtype(theirs)}.")


@criterion("copies", 1, hint="torch.from_numpy shares memory with its array. Who else would see the training?")
def test_copies() -> None:
    given = parameters()
    rnn = module(given)
    for array in given:
        array *= 10
    want = torch.tensor(STATES, dtype=torch.float64)
    equal(states(rnn, "cpu"), want, what="The array of states, after the given arrays were changed,")
    given = parameters()
    rnn = module(given)
    with torch.no_grad():
        for parameter in rnn.parameters():
            parameter.fill_(7)
    for letter, now, before in zip("UVb", given, parameters(), strict=True):
        equal(now, before, what=f"The given {letter}, after the module was changed,")
