from __future__ import annotations

from typing import Any

import torch
from checks import Failed, criterion, devices, equal, student

OK_FORMAT, name = False, "SigmoidFunction"


def inputs(device: str, dtype: torch.dtype = torch.float64) -> list[torch.Tensor]:
    """Random numbers, and numbers far from zero."""
    torch.manual_seed(3)
    random = 2 * torch.randn(3, 2, 4, device=device, dtype=dtype)
    far = torch.tensor([[1000.0, -1000.0], [-750.0, 0.0], [720.0, -30.0]], device=device, dtype=dtype)
    return [random.requires_grad_(), far.requires_grad_()]


def forward(sigmoid: Any, x: torch.Tensor) -> Any:
    """The student's function at x; the result must remember how it was computed."""
    __tracebackhide__ = True
    y = sigmoid.apply(x)
    if getattr(y, "grad_fn", None) is None:
        raise Failed("The output does not depend on the argument for autograd: backward has nothing to follow.")
    return y


@criterion("values", 2, hint="It is the sigmoid of the NumPy part, in tensors; far out it stays finite.")
def test_values() -> None:
    sigmoid = student("activations_torch").SigmoidFunction
    for device in devices():
        for x in (*inputs(device), inputs(device, torch.float32)[0]):
            y = forward(sigmoid, x)
            rtol = 1e-9 if x.dtype == torch.float64 else 1e-5
            equal(y, torch.sigmoid(x).cpu(), rtol, what=f"The output on {device} in {x.dtype}")
            if (y.dtype, y.device) != (x.dtype, x.device):
                raise Failed(f"The output is {y.dtype} on {y.device}, expected {x.dtype} on {x.device}.")


@criterion(
    "gradients",
    3,
    hint="What must forward leave in the ctx of its call? Which slope follows from that, and what does dy add?",
)
def test_gradients() -> None:
    sigmoid = student("activations_torch").SigmoidFunction
    for device in devices():
        xs = inputs(device)
        dys = [torch.randn_like(x) for x in xs]
        ys = [forward(sigmoid, x) for x in xs]  # all calls forward, and only then backward
        for x, y, dy in zip(xs, ys, dys, strict=True):
            (exact,) = torch.autograd.grad(torch.sigmoid(x), x, dy)
            y.backward(dy)
            if x.grad is None:
                raise Failed("x receives no gradient: what does backward return?")
            equal(x.grad, exact.cpu(), what=f"The gradient of x on {device}")
