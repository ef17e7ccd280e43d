from __future__ import annotations

from itertools import product
from typing import Any

import torch
import torch.nn.functional as F
from checks import Failed, criterion, devices, equal, student

OK_FORMAT, name = False, "Conv2d"

LAYERS: list[dict[str, Any]] = [
    {},
    {"stride": 2, "padding": 1},
    {"stride": (2, 3), "padding": (1, 2)},
    {"stride": (3, 1), "padding": (0, 2), "bias": False},
]


def layer_and_image(device: str, options: dict[str, Any]) -> tuple[Any, torch.Tensor]:
    """The student's layer from 2 to 5 channels with filters of 3 by 2 and random weights, and 3 images for it."""
    torch.manual_seed(1)
    layer = student("convolution_torch").Conv2d(2, 5, (3, 2), **options).double()
    state = {"weight": torch.randn(5, 2, 3, 2, dtype=torch.float64)}
    if options.get("bias", True):
        state["bias"] = torch.randn(5, dtype=torch.float64)
    layer.load_state_dict(state)
    return layer.to(device), torch.randn(3, 2, 7, 10, dtype=torch.float64).to(device).requires_grad_()


def expected(layer: Any, x: torch.Tensor, options: dict[str, Any]) -> torch.Tensor:
    """What PyTorch's own convolution makes of the layer's parameters."""
    return F.conv2d(x, layer.weight, layer.bias, options.get("stride", 1), options.get("padding", 0))


@criterion("parameters", 1, hint="nn.Module registers what is assigned as nn.Parameter; without bias, bias is None.")
def test_parameters() -> None:
    for kernel_size, bias, want in (
        ((3, 4), True, {"weight": (5, 2, 3, 4), "bias": (5,)}),
        (3, False, {"weight": (5, 2, 3, 3)}),
    ):
        layer = student("convolution_torch").Conv2d(2, 5, kernel_size, bias=bias)
        got = {key: tuple(parameter.shape) for key, parameter in layer.named_parameters()}
        if got != want:
            raise Failed(f"The layer has the parameters {got}, expected {want}.")


@criterion("values", 2, hint="It is the layer of conv2d_forward, in tensors; one number or a pair, as there.")
def test_values() -> None:
    for device, options in product(devices(), LAYERS):
        layer, x = layer_and_image(device, options)
        want = expected(layer, x, options).cpu()
        equal(layer(x), want, what=f"The output with {options or 'no options'} on {device}")


@criterion(
    "gradients",
    2,
    hint="Are the values right? Autograd follows tensor operations only: no NumPy, no .data, no .detach().",
)
def test_gradients() -> None:
    for device, options in product(devices(), LAYERS):
        layer, x = layer_and_image(device, options)
        variables = {"x": x, **dict(layer.named_parameters())}
        want = expected(layer, x, options)
        dy = torch.randn_like(want)
        exact = torch.autograd.grad(want, list(variables.values()), dy)
        y = layer(x)
        if not getattr(y, "requires_grad", False):
            raise Failed("The output does not depend on the parameters for autograd: backward has nothing to follow.")
        y.backward(dy)
        for (key, variable), gradient in zip(variables.items(), exact, strict=True):
            if variable.grad is None:
                raise Failed(f"{key} receives no gradient: the output does not depend on it for autograd.")
            about = f"with {options or 'no options'} on {device}"
            equal(variable.grad, gradient.cpu(), what=f"The gradient of {key} {about}")
