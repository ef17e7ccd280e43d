from __future__ import annotations

from typing import Any

import torch
from checks import Failed, criterion, devices, equal, student

OK_FORMAT, name = False, "BatchNorm2d"

COUNTER = "num_batches_tracked"  # asked for with the parameters alone
STATISTICS = ("running_mean", "running_var")
OPTIONS: list[dict[str, Any]] = [{}, {"eps": 0.5, "momentum": 0.25}]


def layers(device: str, options: dict[str, Any]) -> tuple[Any, torch.nn.BatchNorm2d, torch.Tensor]:
    """The student's layer and PyTorch's for 4 channels, with the same random state; and 3 images, 2 by 5, for them."""
    torch.manual_seed(4)
    mine = student("activations_torch").BatchNorm2d(4, **options)
    theirs = torch.nn.BatchNorm2d(4, **options)
    with torch.no_grad():
        for tensor in (theirs.weight, theirs.bias, theirs.running_mean):
            tensor.normal_(1)
        theirs.running_var.uniform_(0.5, 3)
    x = (
        3 * torch.randn(3, 4, 2, 5, device=device, dtype=torch.float64)
        + torch.arange(4.0, device=device)[:, None, None]
    )
    mine, theirs = mine.to(device).double(), theirs.to(device).double()
    try:
        _, lost = mine.load_state_dict(theirs.state_dict(), strict=False)
    except RuntimeError as error:
        raise Failed(f"The layer cannot load PyTorch's state: {error}") from None
    if absent := [key for key in lost if key != COUNTER]:
        raise Failed(f"The layer cannot load PyTorch's state: it has no {', '.join(absent)}.")
    return mine, theirs, x.requires_grad_()


def compare(device: str, training: bool) -> None:
    """Compare the outputs and the gradients in one of the modes."""
    __tracebackhide__ = True
    mode = "training" if training else "evaluation"
    for options in OPTIONS:
        mine, theirs, x = layers(device, options)
        want = theirs.train(training)(x)
        dy = torch.randn_like(want)
        exact = torch.autograd.grad(want, [x, theirs.weight, theirs.bias], dy)
        y = mine.train(training)(x)
        equal(y, want.cpu(), what=f"The output in {mode} with {options or 'no options'} on {device}")
        if y.grad_fn is None:
            raise Failed("The output does not depend on the arguments for autograd: backward has nothing to follow.")
        y.backward(dy)
        for key, variable, gradient in zip(("x", "weight", "bias"), (x, mine.weight, mine.bias), exact, strict=True):
            if variable.grad is None:
                raise Failed(f"{key} receives no gradient in {mode}: the output does not depend on it for autograd.")
            equal(variable.grad, gradient.cpu(), what=f"The gradient of {key} in {mode} on {device}")


@criterion(
    "parameters",
    1,
    hint="What the optimizer changes is a parameter; what else must be saved is a buffer. Are the batches counted?",
)
def test_parameters() -> None:
    layer, want = student("activations_torch").BatchNorm2d(3), torch.nn.BatchNorm2d(3)
    names = {key: tuple(parameter.shape) for key, parameter in want.named_parameters()}
    got = {key: tuple(parameter.shape) for key, parameter in layer.named_parameters()}
    if got != names:
        raise Failed(f"The layer has the parameters {got}, expected {names}.")
    if layer.state_dict().keys() != want.state_dict().keys():
        raise Failed(f"The state holds {list(layer.state_dict())}, expected {list(want.state_dict())}.")
    for key, tensor in want.state_dict().items():
        equal(layer.state_dict()[key], tensor, what=f"{key} at first")
        if layer.state_dict()[key].dtype != tensor.dtype:
            raise Failed(f"{key} has dtype {layer.state_dict()[key].dtype}, expected {tensor.dtype}.")
    for _ in range(2):
        layer(torch.randn(2, 3, 1, 2))
    equal(layer.state_dict()[COUNTER], torch.tensor(2), what=f"{COUNTER} after two batches")


@criterion(
    "training", 3, hint="Which axes, which variance, and where does eps stand? Autograd must see how both depend on x."
)
def test_training() -> None:
    for device in devices():
        compare(device, training=True)


@criterion(
    "running",
    1,
    hint="How much of the old stays, and which variance is remembered? No buffer keeps a graph.",
)
def test_running() -> None:
    for device in devices():
        for options in OPTIONS:
            mine, theirs, x = layers(device, options)
            for batch in (x, 2 * x[:2] + 1):
                mine(batch).sum().backward()
                theirs(batch)
            for key in STATISTICS:
                got = getattr(mine, key)
                equal(
                    got,
                    getattr(theirs, key).cpu(),
                    what=f"{key} after two batches with {options or 'no options'} on {device}",
                )
                if got.requires_grad:
                    raise Failed(f"{key} carries the history of all batches with it: it requires a gradient.")


@criterion(
    "evaluation", 2, hint="Which statistics does this mode use? They were measured earlier, and stay as they are."
)
def test_evaluation() -> None:
    for device in devices():
        compare(device, training=False)
        mine, theirs, x = layers(device, {})
        alone = mine.eval()(x[:1])
        equal(alone, theirs.eval()(x[:1]).cpu(), what=f"The output for one image on {device}")
        for key in STATISTICS:
            equal(getattr(mine, key), getattr(theirs, key).cpu(), what=f"{key} after an evaluation on {device}")
