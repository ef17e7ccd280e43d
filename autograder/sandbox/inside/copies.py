"""Copies of a question's arrays, of other dtypes or with other strides, made where they are used: the wire carries no
reversed array and none in another order. And the same arrays with other numbers in them, for a while.
"""

from __future__ import annotations

import inspect
import itertools
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any

import numpy as np

Copy = Callable[[np.ndarray], np.ndarray]
Arguments = tuple[Sequence[Any], Any]
Other = Callable[[], AbstractContextManager[Arguments]]  # what another call is made with, while that lasts


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
) -> Arguments:
    """The arguments of ``call`` with copies of the arrays in them: in all, or in the parameters that are ``lent``."""
    copy = COPIES[kind]()
    if not lent:
        return _copied(args, copy), _copied(kwargs, copy)
    bound = inspect.signature(call).bind(*args, **kwargs)
    bound.arguments.update({name: _copied(bound.arguments[name], copy) for name in lent if name in bound.arguments})
    return bound.args, bound.kwargs


def rounds(call: Callable[..., Any], args: Sequence[Any], kwargs: Any) -> Iterator[Sequence[Other]]:
    """Groups of other calls, between which the call itself is made: all of them; then each right after another one.

    The first shows what is remembered for good, the second what is remembered until the next call.
    """
    others = [*_others(call, args, kwargs)]
    yield others
    yield from zip([*others[-1:], *others[:-1]], others, strict=True)


def _others(call: Callable[..., Any], args: Sequence[Any], kwargs: Any) -> Iterator[Other]:
    """Calls that differ in one parameter: it is left out, if it may be, or is another number; or its arrays hold other
    numbers.
    """
    signature = inspect.signature(call)
    given = signature.bind(*args, **kwargs).arguments
    for name, value in given.items():
        parameter = signature.parameters[name]
        if parameter.default is not parameter.empty:
            yield partial(_with, signature, {other: given[other] for other in given if other != name})
        elif type(value) in (int, float):
            yield partial(_with, signature, {**given, name: value + 1})
        elif parameter.kind is parameter.VAR_KEYWORD:
            for key in value:
                rest = {other: value[other] for other in value if other != key}
                yield partial(_with, signature, {**given, name: rest})
        if arrays := _arrays(value):
            yield partial(_overwritten, arrays, (args, kwargs))


@contextmanager
def _with(signature: inspect.Signature, given: dict[str, Any]) -> Iterator[Arguments]:
    bound = inspect.BoundArguments(signature, given)
    yield bound.args, bound.kwargs


@contextmanager
def _overwritten(arrays: Sequence[np.ndarray], arguments: Arguments) -> Iterator[Arguments]:
    """The same arguments, with the entries of some arrays moved on as long as this lasts."""
    were = [array.copy() for array in arrays]
    for array in arrays:
        array[...] = moved_on(array)
    try:
        yield arguments
    finally:
        for array, was in zip(arrays, were, strict=True):
            array[...] = was


def write_over(answer: Any, arguments: Any) -> None:
    """Write into the arrays of an answer, as its owner may, but into no argument of which they are views."""
    lent = _arrays(arguments)
    for array in _arrays(answer):
        if array.flags.writeable and not any(np.may_share_memory(array, other) for other in lent):
            array[...] = array == 0


def agree(one: Any, other: Any) -> bool:
    """Whether two answers are the same but for rounding errors."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(agree(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(agree, one, other))
    if not (isinstance(one, np.ndarray | float) and isinstance(other, np.ndarray | float)):
        return bool(one == other) if type(one) is type(other) else False
    if np.shape(one) != np.shape(other):
        return False
    largest = np.abs(one, where=np.isfinite(one), out=np.zeros(np.shape(one))).max(initial=0)
    return bool(np.allclose(one, other, rtol=0, atol=1e-4 * largest, equal_nan=True))


def _arrays(tree: Any) -> list[np.ndarray]:
    if isinstance(tree, np.ndarray):
        return [tree] if tree.ndim else []
    parts = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list | tuple) else ()
    return [array for part in parts for array in _arrays(part)]


def _copied(tree: Any, copy: Copy) -> Any:
    if isinstance(tree, dict):
        return {key: _copied(value, copy) for key, value in tree.items()}
    if isinstance(tree, list | tuple):
        return type(tree)(_copied(value, copy) for value in tree)
    return copy(tree) if isinstance(tree, np.ndarray) and tree.ndim else tree
