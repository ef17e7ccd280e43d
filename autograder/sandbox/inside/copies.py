"""Copies of a question's arrays, of other dtypes or with other strides, made where they are used: the wire carries no
reversed array and none in another order.
"""

from __future__ import annotations

import inspect
import itertools
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

Copy = Callable[[np.ndarray], np.ndarray]


def float32(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float32 if array.dtype == np.float64 else array.dtype)


def strided(array: np.ndarray) -> np.ndarray:
    """The array with its axes in the opposite order in memory, with gaps, and backwards unless PyTorch is to read it,
    which knows no negative strides.
    """
    room = np.zeros([2 * side for side in reversed(array.shape)], array.dtype)
    view = room.T[tuple(slice(None, None, 2 if "torch" in sys.modules else -2) for _ in array.shape)]
    view[...] = array
    return view


def integers(array: np.ndarray) -> np.ndarray:
    return (np.rint(np.abs(100 * array)) % 256).astype(np.uint8) if array.dtype == np.float64 else array.copy()


def moved_on(array: np.ndarray) -> np.ndarray:
    """The same entries, each one place further on. (Turned round, rows and columns might only be renamed.)"""
    return np.roll(array, 1)


def alternating(first: int) -> Copy:
    """A float32 copy of every second float64 array, counted on from ``first``."""
    number = itertools.count(first)
    return lambda array: float32(array) if array.dtype == np.float64 and next(number) % 2 == 0 else array.copy()


COPIES: dict[str, Callable[[], Copy]] = {
    "float32": lambda: float32,
    "float32 first": lambda: alternating(0),
    "float64 first": lambda: alternating(1),
    "integers": lambda: integers,
    "fortran": lambda: partial(np.array, order="F"),
    "strided": lambda: strided,
    "again": lambda: moved_on,
}


def with_copies(
    call: Callable[..., Any], args: Sequence[Any], kwargs: Any, kind: str, lent: Sequence[str] | None
) -> tuple[Sequence[Any], Any]:
    """The arguments of ``call`` with copies of the arrays in them: in all, or in the parameters that are ``lent``."""
    copy = COPIES[kind]()
    if not lent:
        return _copied(args, copy), _copied(kwargs, copy)
    bound = inspect.signature(call).bind(*args, **kwargs)
    bound.arguments.update({name: _copied(bound.arguments[name], copy) for name in lent if name in bound.arguments})
    return bound.args, bound.kwargs


def _copied(tree: Any, copy: Copy) -> Any:
    if isinstance(tree, dict):
        return {key: _copied(value, copy) for key, value in tree.items()}
    if isinstance(tree, list | tuple):
        return type(tree)(_copied(value, copy) for value in tree)
    return copy(tree) if isinstance(tree, np.ndarray) and tree.ndim else tree
