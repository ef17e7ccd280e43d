"""A gradient held to differences."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .agreement import as_array
from .comparing import Failed

STEP = float(np.cbrt(np.finfo(np.float64).eps))  # 6e-6


def gradient(
    function: Callable[..., Any],
    arguments: Sequence[Any],
    gradients: Sequence[Any],
    *,
    dy: Any = None,
    step: float = STEP,
    rtol: float = 1e-6,
) -> float:
    """Hold gradients that you have computed to central differences, entry by entry, in float64.

    With L the sum of all entries of ``dy * function(*arguments)``, dL/dx is about (L(x + h) - L(x - h)) / 2h. A large h
    adds an error of the size of h**2; a small one divides the rounding of L, some 1e-16 of it, by h. The cube root of
    1e-16, times x where |x| > 1, keeps both small: some ten digits are right. Choose points away from kinks, as those
    of ReLU or a maximum: there the two sides differ, and no gradient is right.

        gradient(conv2d_forward, [x, w, b], conv2d_backward(dy, x, w), dy=dy)

    Args:
        function: takes the arguments and returns an array or a number, or a tuple of them.
        arguments: arrays and numbers; any shapes.
        gradients: one for each argument, in its shape; None for an argument that has none.
        dy: gradient with respect to what the function returns, in its shape; if None, all ones. Where a tuple is
            returned, a tuple begins with those of its first arrays; all others, and those for which it holds None, do
            not count. One array is that of the first.
        step: h, before it is multiplied by |x| where that is larger than 1.
        rtol: what is allowed of the largest entry of each gradient.

    Returns:
        The largest error of all entries, relative to the largest entry of their gradient.

    Raises:
        Failed: an entry is off by more; the message names the worst one.
        ValueError: there are not as many gradients as arguments, or dy has another shape than what is returned.
    """
    if len(arguments) != len(gradients):
        raise ValueError(f"There are {len(arguments)} arguments, and {len(gradients)} gradients.")
    given = [
        np.array(argument, np.float64) if claimed is not None else argument
        for argument, claimed in zip(arguments, gradients, strict=True)
    ]

    weights = dy if isinstance(dy, tuple) else (dy,)

    def loss() -> float:
        y = function(*(argument.copy() if isinstance(argument, np.ndarray) else argument for argument in given))
        returned = y if isinstance(y, tuple) else (y,)
        if len(weights) > len(returned):
            raise ValueError(f"There are {len(weights)} arrays in dy, and {len(returned)} that are returned.")
        if dy is None:
            return float(np.sum(as_array(returned[0]), dtype=np.float64))
        pairs = [(as_array(one), as_array(w)) for one, w in zip(returned, weights, strict=False) if w is not None]
        for one, weight in pairs:
            if weight.shape != one.shape:
                raise ValueError(f"dy has shape {weight.shape}, and what is returned {one.shape}.")
        return float(sum(np.sum(one.astype(np.float64) * weight) for one, weight in pairs))

    worst = 0.0
    for number, (argument, claimed) in enumerate(zip(given, gradients, strict=True)):
        if claimed is None:
            continue
        name, got = _name(function, number), as_array(claimed).astype(np.float64)
        if got.shape != argument.shape:
            raise Failed(f"The gradient of {name} has shape {got.shape}, expected {argument.shape}.")
        if argument.size:
            worst = max(worst, _compare(name, got, _differences(loss, argument, step), rtol))
    return worst


def _differences(loss: Callable[[], float], argument: np.ndarray, step: float) -> np.ndarray:
    """dL of each entry of ``argument``, which is changed meanwhile."""
    found = np.empty_like(argument)
    for place, value in np.ndenumerate(argument):
        h = step * max(1.0, abs(value))
        sides = []
        for moved in (value + h, value - h):
            argument[place] = moved
            sides.append((loss(), moved))
        argument[place] = value
        (above, right), (below, left) = sides
        found[place] = (above - below) / (right - left)  # which is 2h as it was rounded
    return found


def _compare(name: str, got: np.ndarray, want: np.ndarray, rtol: float) -> float:
    with np.errstate(all="ignore"):
        errors = np.abs(got - want) / (np.abs(want).max() or 1.0)
    errors = np.where(np.isnan(errors), np.inf, errors)
    place = np.unravel_index(np.argmax(errors), errors.shape)
    if errors[place] > rtol:
        entry = f"{name}[{', '.join(map(str, place))}]" if place else name
        raise Failed(
            f"The gradient of {entry} is {got[place]:.9g}, by differences {want[place]:.9g}: "
            f"off by {errors[place]:.1e} of the largest entry, where {rtol:g} is allowed."
        )
    return float(errors[place])


def _name(function: Callable[..., Any], number: int) -> str:
    try:
        return list(inspect.signature(function).parameters)[number]
    except (TypeError, ValueError, IndexError):
        return f"argument {number}"
