from __future__ import annotations

import torch
from checks import Failed, criterion, devices, equal, student

OK_FORMAT, name = False, "LayerNorm"


def compare(device: str, normalized_shape: int | tuple[int, ...], shape: tuple[int, ...], eps: float = 1e-5) -> None:
    """Compare the output and the gradients with PyTorch's for a random state and input."""
    __tracebackhide__ = True
    torch.manual_seed(5)
    mine = student("activations_torch").LayerNorm(normalized_shape, eps=eps)
    theirs = torch.nn.LayerNorm(normalized_shape, eps=eps)
    with torch.no_grad():
        for parameter in theirs.parameters():
            parameter.normal_(1)
    mine, theirs = mine.to(device).double(), theirs.to(device).double()
    try:
        _, lost = mine.load_state_dict(theirs.state_dict(), strict=False)
    except RuntimeError as error:
        raise Failed(f"The layer cannot load PyTorch's state: {error}") from None
    if lost:
        raise Failed(f"The layer cannot load PyTorch's state: it has no {', '.join(lost)}.")
    x = (3 * torch.randn(shape, device=device, dtype=torch.float64) + 2).requires_grad_()
    want = theirs(x)
    dy = torch.randn_like(want)
    exact = torch.autograd.grad(want, [x, theirs.weight, theirs.bias], dy)
    y = mine(x)
    about = f"for an input of shape {shape} and normalized_shape {normalized_shape} on {device}"
    equal(y, want.cpu(), what=f"The output {about}")
    if y.grad_fn is None:
        raise Failed("The output does not depend on the arguments for autograd: backward has nothing to follow.")
    y.backward(dy)
    for key, variable, gradient in zip(("x", "weight", "bias"), (x, mine.weight, mine.bias), exact, strict=True):
        if variable.grad is None:
            raise Failed(f"{key} receives no gradient: the output does not depend on it for autograd.")
        equal(variable.grad, gradient.cpu(), what=f"The gradient of {key} {about}")
    equal(mine.eval()(x), want.cpu(), what=f"The output in evaluation {about}")


@criterion(
    "parameters", 1, hint="nn.Module registers what is assigned as nn.Parameter. One number stands for one axis."
)
def test_parameters() -> None:
    for normalized_shape in (5, (4, 3)):
        state = student("activations_torch").LayerNorm(normalized_shape).state_dict()
        want = torch.nn.LayerNorm(normalized_shape)
        if state.keys() != want.state_dict().keys():
            raise Failed(f"The state holds {list(state)}, expected {list(want.state_dict())}.")
        for key, tensor in want.state_dict().items():
            equal(state[key], tensor, what=f"{key} at first")
    parameters = dict(student("activations_torch").LayerNorm(5).named_parameters())
    if parameters.keys() != {"weight", "bias"}:
        raise Failed(f"The layer has the parameters {list(parameters)}, expected weight and bias.")


@criterion(
    "last", 2, hint="Which axis belongs to one sample? Which variance does the formula want, and where does eps stand?"
)
def test_last() -> None:
    for device in devices():
        compare(device, 6, (4, 6))
        compare(device, 5, (2, 3, 5), eps=0.5)
        compare(device, (5,), (5,))


@criterion("axes", 2, hint="The statistics run over as many axes as normalized_shape has, all at once.")
def test_axes() -> None:
    for device in devices():
        compare(device, (4, 5), (3, 4, 5))
        compare(device, (3, 4, 5), (2, 3, 4, 5), eps=0.5)
