"""Provided with assignment 5: an optimiser step for the lab, so that nothing rests on an earlier assignment.

It is yours to read and to use, here and in your own experiments. No exercise needs it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

Parameters = dict[str, np.ndarray]


def adam_step(
    params: Mapping[str, np.ndarray],
    grads: Mapping[str, np.ndarray],
    state: Mapping[str, Any] | None,
    *,
    lr: float,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: float = 1e-8,
) -> tuple[Parameters, dict[str, Any]]:
    """One step of Adam (Kingma and Ba, 2015), as ``torch.optim.Adam`` takes it.

    Args:
        params: parameters by name.
        grads: their gradients, under the same names.
        state: what the step before returned, None at first.
        lr: learning rate, > 0.
        betas: how slowly the averages of the gradient and of its square forget.
        eps: keeps the division from blowing up.

    Returns:
        New parameters and the state for the next step; the arguments stay as they were.
    """
    if state is None:
        zeros = {name: np.zeros_like(value) for name, value in params.items()}
        state = {"step": 0, "mean": zeros, "square": zeros}
    step = state["step"] + 1
    slow, slower = betas
    mean = {name: slow * state["mean"][name] + (1 - slow) * grad for name, grad in grads.items()}
    square = {name: slower * state["square"][name] + (1 - slower) * grad**2 for name, grad in grads.items()}
    updated = {}
    for name, value in params.items():
        scale = np.sqrt(square[name] / (1 - slower**step)) + eps
        updated[name] = value - lr * mean[name] / (1 - slow**step) / scale
    return updated, {"step": step, "mean": mean, "square": square}
