from __future__ import annotations

from typing import Any

import numpy as np
import torch
from checks import Failed, criterion, devices, equal, student
from torch import nn

OK_FORMAT, name = False, "load_parameters"


def arrays(dtype: Any) -> dict[str, np.ndarray]:
    return {"fc1.weight": np.array([[1, 2, 3], [4, 5, 6]], dtype), "fc1.bias": np.array([7, 8], dtype)}


def model(dtype: torch.dtype, device: str) -> nn.ModuleDict:
    """A linear layer from three to two, called fc1."""
    return nn.ModuleDict({"fc1": nn.Linear(3, 2, dtype=dtype)}).to(device)


@criterion(
    "values",
    1,
    hint="Does every entry arrive, in the dtype of the model? Does the model notice if the array changes afterwards?",
)
def test_values() -> None:
    load_parameters = student("lenet5_torch").load_parameters
    for device in devices():
        for theirs, mine in ((np.float32, torch.float32), (np.float64, torch.float32), (np.float64, torch.float64)):
            module, params = model(mine, device), arrays(theirs)
            load_parameters(module, params)
            for array in params.values():
                array *= 10
            for key, value in arrays(np.float64).items():
                what = f"{key} on {device}, after the given array was changed,"
                equal(dict(module.named_parameters())[key], torch.tensor(value), what=what)


@criterion("kept", 1, hint="An optimizer holds the parameters themselves. Fill them; do not put others in their place.")
def test_kept() -> None:
    load_parameters = student("lenet5_torch").load_parameters
    for device in devices():
        for theirs, mine in ((np.float64, torch.float32), (np.float32, torch.float64)):
            module = model(mine, device)
            before = dict(module.named_parameters())
            load_parameters(module, arrays(theirs))
            for key, parameter in module.named_parameters():
                if parameter is not before[key]:
                    raise Failed(f"{key} is another parameter afterwards: an optimizer would still hold the old one.")
                if parameter.dtype != mine or parameter.device.type != device:
                    raise Failed(f"{key} is {parameter.dtype} on {parameter.device}, before it was {mine} on {device}.")
                if not parameter.requires_grad:
                    raise Failed(f"{key} can no longer receive a gradient.")
