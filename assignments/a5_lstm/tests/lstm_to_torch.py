from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from checks import Failed, criterion, devices, equal, student, waves
from torch import nn

OK_FORMAT, name = False, "lstm_to_torch"


def layer(dtype: Any = np.float64) -> Any:
    """The layer made of the weights of lstm_forward's tests. The arrays are overwritten afterwards."""
    W, b = waves(8, 5).astype(dtype), waves(8, of=np.cos).astype(dtype)
    lstm = student("lstm_torch").lstm_to_torch(W, b)
    W[:], b[:] = 7, 7
    if not isinstance(lstm, nn.LSTM):
        raise Failed(f"The result is of type {type(lstm).__name__}, expected nn.LSTM.")
    return lstm


@criterion(
    "values",
    4,
    hint="Which axis of x is first? Blocks i, f, g, o, two matrices, two biases. Would a later change of W reach it?",
)
def test_values() -> None:
    want = [
        [0.3822243404, -0.1552479294, 0.3903559796, -0.3586191266, 0.0577901357, -0.3355167067],
        [-0.2872713544, -0.4122396022, -0.3759036977, -0.5415696785, -0.269379075, 0.0132365622],
    ]
    h = torch.tensor(want, dtype=torch.float64).reshape(2, 3, 2)
    want = [
        [0.1635910763, -0.372085562],
        [-0.7501145412, 0.0159181574],
    ]
    c = torch.tensor(want, dtype=torch.float64)
    for device in devices():
        lstm = layer().to(device, torch.float64)
        x, h0, c0 = (
            torch.tensor(array, device=device)
            for array in (waves(2, 3, 3), waves(1, 2, 2) / 2, waves(1, 2, 2, of=np.cos))
        )
        states, (_, last) = lstm(x, (h0, c0))
        equal(states, h, rtol=1e-8, what=f"The array of hidden states on {device}")
        equal(last[0], c, rtol=1e-8, what=f"The last cell state on {device}")


@criterion("dtype", 1, hint="PyTorch makes parameters in float32 unless you say what you want.")
def test_dtype() -> None:
    for theirs, mine in ((np.float32, torch.float32), (np.float64, torch.float64)):
        for key, parameter in layer(theirs).named_parameters():
            if parameter.dtype != mine:
                raise Failed(f"{key} is {parameter.dtype}, while W is {np.dtype(theirs)}.")
