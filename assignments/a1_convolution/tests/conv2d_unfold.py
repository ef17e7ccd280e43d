from __future__ import annotations

from itertools import product
from typing import Any

import torch
import torch.nn.functional as F
from checks import Failed, criterion, devices, equal, student

OK_FORMAT, name = False, "conv2d_unfold"

SETTINGS: list[dict[str, Any]] = [
    {},
    {"stride": 2, "padding": 1},
    {"stride": (2, 3), "padding": (1, 2)},
    {"dilation": (2, 3), "padding": (0, 1)},
    {"stride": (3, 2), "padding": (2, 0), "dilation": (1, 2)},
]


def tensors(device: str, images: int = 3, filters: int = 5, bias: bool = True) -> dict[str, torch.Tensor]:
    """Random images of two channels, 9 by 12, and filters of 3 by 2, with the names of the parameters."""
    torch.manual_seed(2)
    shapes = {"x": (images, 2, 9, 12), "weight": (filters, 2, 3, 2)} | ({"bias": (filters,)} if bias else {})
    drawn = {key: torch.randn(shape, dtype=torch.float64) for key, shape in shapes.items()}
    return {key: tensor.to(device).requires_grad_() for key, tensor in drawn.items()}


def expected(given: dict[str, torch.Tensor], settings: dict[str, Any]) -> torch.Tensor:
    """What PyTorch's own convolution computes."""
    return F.conv2d(given["x"], given["weight"], given.get("bias"), **settings)


@criterion(
    "values",
    3,
    hint="Which of stride, padding and dilation does F.unfold see to? In which shape do weights and bias meet it?",
)
def test_values() -> None:
    conv2d_unfold = student("convolution_torch").conv2d_unfold
    for device, settings in product(devices(), SETTINGS):
        for given in (tensors(device), tensors(device, images=1, filters=1), tensors(device, bias=False)):
            got = conv2d_unfold(**given, **settings)
            equal(got, expected(given, settings).cpu(), what=f"The output with {settings or 'no settings'} on {device}")


@criterion(
    "gradients",
    2,
    hint="Are the values right? Autograd follows tensor operations only: no NumPy, no .data, no .detach().",
)
def test_gradients() -> None:
    conv2d_unfold = student("convolution_torch").conv2d_unfold
    for device, settings in product(devices(), SETTINGS):
        given = tensors(device)
        want = expected(given, settings)
        dy = torch.randn_like(want)
        exact = torch.autograd.grad(want, list(given.values()), dy)
        y = conv2d_unfold(**given, **settings)
        if not getattr(y, "requires_grad", False):
            raise Failed("The output does not depend on the arguments for autograd: backward has nothing to follow.")
        y.backward(dy)
        for (key, tensor), gradient in zip(given.items(), exact, strict=True):
            if tensor.grad is None:
                raise Failed(f"{key} receives no gradient: the output does not depend on it for autograd.")
            about = f"with {settings or 'no settings'} on {device}"
            equal(tensor.grad, gradient.cpu(), what=f"The gradient of {key} {about}")
