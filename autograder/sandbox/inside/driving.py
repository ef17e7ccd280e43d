"""What the drivers of all assignments share. It stands beside them in the child and holds no secret."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np


def tensors(*arrays: np.ndarray | None) -> list[Any]:
    """Arrays as tensors; None stays None."""
    import torch

    return [None if array is None else torch.from_numpy(array) for array in arrays]


def loaded(layer: Any, arrays: dict[str, np.ndarray], *, strict: bool = True) -> Any:
    """A module with these parameters and buffers, in their dtype; unless ``strict``, those whose names it has."""
    state = dict(zip(arrays, tensors(*arrays.values()), strict=True))
    layer.to(next(iter(state.values())).dtype).load_state_dict(state, strict=strict)
    return layer


def backward(y: Any, dy: np.ndarray) -> None:
    """Run backward from y where that can be done. Elsewhere y itself shows what is wrong, and gradients are None."""
    import torch

    if isinstance(y, torch.Tensor) and y.shape == dy.shape and y.requires_grad:
        y.backward(torch.from_numpy(dy).to(y.dtype))


@contextlib.contextmanager
def float64_by_default() -> Iterator[None]:
    """New tensors and parameters are float64 if nothing else is said."""
    import torch

    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def other_by_default(tensor: Any) -> contextlib.AbstractContextManager[None]:
    """New tensors do not have the dtype of this one, float32 or float64, if nothing else is said."""
    import torch

    return contextlib.nullcontext() if tensor.dtype == torch.float64 else float64_by_default()


def apart(layer: Any) -> bool:
    """Whether no two of a module's parameters share memory. They are filled, each with another number."""
    import torch

    parameters = dict(layer.named_parameters(remove_duplicate=False)).values()
    with torch.no_grad():
        for number, parameter in enumerate(parameters):
            parameter.fill_(number)
    return all(bool((parameter == number).all()) for number, parameter in enumerate(parameters))


def gradients(layer: Any) -> dict[str, Any]:
    """The gradients of a module's parameters, by name."""
    return {name: parameter.grad for name, parameter in layer.named_parameters()}
