from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from checks import Failed, criterion, devices, equal, student, waves

OK_FORMAT, name = False, "LeNet5"

SHAPES = {"conv1": (6, 1, 5, 5), "conv2": (16, 6, 5, 5), "fc1": (120, 400), "fc2": (84, 120), "fc3": (10, 84)}


def network() -> dict[str, torch.Tensor]:
    """The parameters of the tests of lenet5_forward."""
    params = {}
    for layer, shape in SHAPES.items():
        params[f"{layer}.weight"] = torch.tensor(waves(*shape) * 2 / math.sqrt(math.prod(shape[1:])))
        params[f"{layer}.bias"] = torch.tensor(waves(shape[0]) / 2)
    return params


def model(device: str) -> Any:
    """The student's network with those parameters."""
    module = student("lenet5_torch").LeNet5().double()
    want = {key: tuple(tensor.shape) for key, tensor in network().items()}
    got = {key: tuple(tensor.shape) for key, tensor in module.state_dict().items()}
    if got != want:
        raise Failed(f"The state dictionary holds {got}, expected {want}.")
    module.load_state_dict(network())
    return module.to(device)


@criterion("values", 5, hint="It is the network of lenet5_forward, in tensors. One image is a batch, too.")
def test_values() -> None:
    want = [  # two lines for each of 2 images
        [2.7213551167, -2.5023587408, -1.251733336, -2.9776522978, 0.1800717207],
        [-6.2405097473, -0.8494089697, 3.540221384, -1.5045237231, 1.5292094911],
        [4.7776383731, -1.7099521316, 0.3601226288, -1.3655921907, 0.1353440017],
        [-7.8931559908, -1.7679173249, 3.6634580089, -1.5366452552, 0.5715134409],
    ]
    logits = torch.tensor(want, dtype=torch.float64).reshape(2, 10)
    for device in devices():
        x = torch.tensor(waves(2, 1, 32, 32), device=device)
        equal(model(device)(x), logits, what=f"The table of logits on {device}")
        equal(model(device)(x[1:]), logits[1:], what=f"The table of logits of one image on {device}")


@criterion(
    "gradients",
    4,
    hint="Are the values right? Autograd follows tensor operations only: no NumPy, no .data, no .detach().",
)
def test_gradients() -> None:
    slopes = {
        "x": -2.646099456,
        "conv1.weight": -18.835492544,
        "conv1.bias": -0.46656008264,
        "conv2.weight": -103.05577278,
        "conv2.bias": -0.99580347587,
        "fc1.weight": -47.351884327,
        "fc1.bias": 1.0958813837,
        "fc2.weight": 50.069515797,
        "fc2.bias": 1.0014295325,
        "fc3.weight": 43.33409005,
        "fc3.bias": -0.97453477498,
    }
    for device in devices():
        module = model(device)
        x = torch.tensor(waves(2, 1, 32, 32), device=device, requires_grad=True)
        logits = module(x)
        if not getattr(logits, "requires_grad", False):
            raise Failed("The logits do not depend on the parameters for autograd: backward has nothing to follow.")
        logits.backward(torch.tensor(waves(2, 10), device=device))
        variables = {"x": x, **dict(module.named_parameters())}
        for key, want in slopes.items():
            gradient = variables[key].grad
            if gradient is None:
                raise Failed(f"{key} receives no gradient: the logits do not depend on it for autograd.")
            slope = float(np.sum(gradient.cpu().numpy() * waves(*gradient.shape, of=np.cos)))
            equal(slope, want, rtol=1e-7, what=f"The slope along {key} on {device}")
