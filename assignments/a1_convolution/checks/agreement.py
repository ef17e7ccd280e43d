# Generated from autograder/student/checks/agreement.py by "python -m autograder build": change it there.
"""When an answer agrees with what is expected: one rule for the visible tests and for grading.

It tells how the two differ, and each side puts that into words of its own: a visible test may show both numbers, a
hidden one neither.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

ZERO = 1e-12  # absolute tolerance where the whole expected array is zero, or noise around it
NOISE = 1e-14


class NoArray(NamedTuple):
    """The answer stands for no array of numbers; ``ragged`` where that is because its rows differ in length."""

    ragged: bool


class OtherShape(NamedTuple):
    """The answer, as an array, has another shape."""

    got: np.ndarray


class OtherKind(NamedTuple):
    """The answer holds truth values where numbers are expected, numbers where those are, or complex numbers."""

    got: np.ndarray


class OtherValues(NamedTuple):
    """The answer disagrees ``where`` this is true; ``largest`` is the largest finite expected magnitude, or 0."""

    got: np.ndarray
    where: np.ndarray
    error: np.ndarray  # |got - want|
    largest: np.floating


Difference = NoArray | OtherShape | OtherKind | OtherValues


def difference(got: Any, want: np.ndarray, rtol: float) -> Difference | None:
    """How an answer differs from the expected array; None where it agrees.

    Args:
        got: an array, a number, a tensor, or lists or tuples of these; anything else is no array.
        want: the expected array of truth values or real numbers, any shape.
        rtol: tolerance relative to the largest expected magnitude.
    """
    array = form(got, want)
    return disagreement(array, want, rtol) if isinstance(array, np.ndarray) else array


def form(got: Any, want: np.ndarray) -> np.ndarray | NoArray | OtherShape | OtherKind:
    """The answer as an array of the expected shape and kind, or how it is of another form.

    Nothing is broadcast. Numbers of any precision will do for numbers, and only truth values for truth values.
    """
    try:
        array = as_array(got)
    except (TypeError, ValueError) as refusal:
        return NoArray(ragged=isinstance(refusal, ValueError))
    if array.shape != want.shape:
        return OtherShape(array)
    return array if array.dtype.kind in ("b" if want.dtype.kind == "b" else "iuf") else OtherKind(array)


def disagreement(got: np.ndarray, want: np.ndarray, rtol: float) -> OtherValues | None:
    """Where the values of an array of the right form are not those expected; None where all agree.

    Where ``want`` holds integers or truth values, values agree when they are equal. Otherwise finite ones agree when
    |got - want| <= rtol * max|want|, the maximum being over all finite entries; where this maximum is zero or noise,
    when |got - want| <= 1e-12. An infinity agrees with the same infinity only, and NaN with NaN.
    """
    with np.errstate(all="ignore"):
        if want.dtype.kind == "f":  # most answers agree by far, which takes no wider numbers to see
            size = np.abs(want).max(initial=0)
            if NOISE < size < np.inf and np.abs(got - want).max(initial=0) <= rtol / 2 * size:
                return None
        mine, exact = got.astype(np.longdouble), want.astype(np.longdouble)
        finite = np.isfinite(exact)
        largest = np.abs(exact[finite]).max(initial=0)
        tolerance = 0 if want.dtype.kind in "biu" else rtol * largest if largest > NOISE else ZERO
        error = np.abs(mine - exact)
        near = finite & np.isfinite(mine) & (error <= tolerance)
    where = ~(near | (mine == exact) | (np.isnan(mine) & np.isnan(exact)))
    return OtherValues(got, where, error, largest) if where.any() else None


def as_array(value: Any) -> np.ndarray:
    """The array that a value stands for, in float64 where its numbers are more precise.

    Raises:
        TypeError: it is, or holds, something else than numbers, truth values, and arrays or tensors of these.
        ValueError: its rows differ in length.
    """
    if isinstance(value, list | tuple):
        array = np.array([_item(item) for item in value])
    elif isinstance(value, np.ndarray | np.generic) or type(value) in (bool, int, float):
        array = np.asarray(value)
    elif hasattr(value, "detach"):
        tensor = value.detach().cpu().resolve_conj().resolve_neg()
        short = tensor.is_floating_point() and tensor.dtype.itemsize < 4  # NumPy does not know bfloat16
        array = (tensor.float() if short else tensor).numpy()
    else:
        raise TypeError(f"not a number or an array: {type(value).__name__}")
    if array.dtype.kind not in "biufc":
        raise TypeError(f"an array of dtype {array.dtype}")
    if array.dtype.kind == "f" and array.dtype.itemsize > 8:
        with np.errstate(over="ignore"):
            return array.astype(np.float64)
    return array


def _item(item: Any) -> Any:
    """An element of a list. A complex one is refused before NumPy makes all others as wide."""
    if isinstance(item, list | tuple):
        return [_item(inner) for inner in item]
    if type(item) in (bool, int, float):
        return item
    array = as_array(item)
    if array.dtype.kind == "c":
        raise TypeError("complex numbers in a list")
    return array
