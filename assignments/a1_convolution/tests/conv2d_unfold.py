from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F
from checks import Failed, criterion, equal, student

OK_FORMAT, name, points = False, "conv2d_unfold", 5

SETTINGS: list[dict[str, Any]] = [
    {},
    {"stride": 2, "padding": 1},
    {"stride": (2, 3), "padding": (1, 2)},
    {"dilation": (2, 3), "padding": (0, 1)},
    {"stride": (3, 2), "padding": (2, 0), "dilation": (1, 2)},
]


def tensors(images: int = 3, filters: int = 5, bias: bool = True) -> dict[str, torch.Tensor]:
    """Random images of two channels, 9 by 12, and filters of 3 by 2, with the names of the parameters."""
    torch.manual_seed(2)
    shapes = {"x": (images, 2, 9, 12), "weight": (filters, 2, 3, 2)} | ({"bias": (filters,)} if bias else {})
    return {key: torch.randn(shape, dtype=torch.float64, requires_grad=True) for key, shape in shapes.items()}


def expected(given: dict[str, torch.Tensor], settings: dict[str, Any]) -> torch.Tensor:
    """What PyTorch's own convolution computes."""
    return F.conv2d(given["x"], given["weight"], given.get("bias"), **settings)


@criterion("forward", 3, hint="Which shape must the weights take to meet F.unfold's rows? Which has their product?")
def test_forward() -> None:
    conv2d_unfold = student("convolution_torch").conv2d_unfold
    for settings in SETTINGS:
        for given in (tensors(), tensors(images=1, filters=1), tensors(bias=False)):
            got = conv2d_unfold(**given, **settings)
            equal(got, expected(given, settings), what=f"The output with {settings or 'no settings'}")


@criterion("gradients", 2, hint="Autograd follows tensor operations only: no NumPy, no .data, no .detach().")
def test_gradients() -> None:
    conv2d_unfold = student("convolution_torch").conv2d_unfold
    for settings in SETTINGS:
        given = tensors()
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
            equal(tensor.grad, gradient, what=f"The gradient of {key} with {settings or 'no settings'}")
