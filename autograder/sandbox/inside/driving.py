"""What the drivers of all assignments share. It stands beside them in the child and holds no secret."""

from __future__ import annotations

from typing import Any

import numpy as np


def scattered(value: Any) -> Any:
    """An array's values with its axes reversed in memory, backwards and with gaps; anything else as it is."""
    if not isinstance(value, np.ndarray):
        return value
    room = np.zeros([2 * side for side in reversed(value.shape)], value.dtype)
    view = room.T[tuple(slice(None, None, -2) for _ in value.shape)]
    view[...] = value
    return view


def strided(student: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    """A driver: call with arrays that are scattered in memory."""
    return getattr(student, name)(*map(scattered, args), **{key: scattered(value) for key, value in kwargs.items()})


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


def gradients(layer: Any) -> dict[str, Any]:
    """The gradients of a module's parameters, by name."""
    return {name: parameter.grad for name, parameter in layer.named_parameters()}
