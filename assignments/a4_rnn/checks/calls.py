# Generated from autograder/student/checks/calls.py by "python -m autograder build": change it there.
"""Calls of the student's functions by the tests: each finds its arrays as the test made them, and the last is known."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np

written: dict[str, None] = {}  # "f writes into its argument x", for each call since this was cleared
made: list[Made] | None = None  # the calls since it was emptied, where somebody wants to know them


class Made(NamedTuple):
    """A call that a test has made; ``answer`` is None where it raised an error.

    ``names`` are the parameters of ``args``, as far as they can be given by name.
    """

    function: str
    names: tuple[str, ...]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    answer: Any


class Asked(ModuleType):
    """A module as tests see it. Its functions find the arrays that they are given as they were before any call."""

    def __init__(self, module: ModuleType) -> None:
        super().__init__(module.__name__)
        vars(self)["_module"] = module

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._module, name)
        return _restoring(found) if isinstance(found, FunctionType) else found


def leaves(tree: Any) -> Iterator[Any]:
    """What lists, tuples and dictionaries hold, however deep."""
    if isinstance(tree, dict | list | tuple):
        for item in tree.values() if isinstance(tree, dict) else tree:
            yield from leaves(item)
    else:
        yield tree


def _restoring(function: Callable[..., Any]) -> Callable[..., Any]:
    """``function``, after which the arrays among its arguments hold again what they held.

    A student's ``x *= 2`` would otherwise change what the next line of the test asks.
    """

    @functools.wraps(function)
    def asked(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        given = (leaf for leaf in leaves((args, kwargs)) if isinstance(leaf, np.ndarray))
        arrays = [array for array in given if array.dtype.kind in "biufc"]
        before = [array.tobytes() for array in arrays]
        answer = None
        try:
            answer = function(*args, **kwargs)
        finally:
            pairs = zip(arrays, before, strict=True)
            if changed := [(array, held) for array, held in pairs if array.tobytes() != held]:
                theirs = [array for array, _ in changed]
                written.update(dict.fromkeys(_sentences(function, args, kwargs, theirs)))
                answer = _apart(answer, theirs)
                for array, held in changed:
                    array[...] = np.frombuffer(held, array.dtype).reshape(array.shape)
            if made is not None:
                made.append(Made(function.__name__, _names(function)[: len(args)], args, kwargs, answer))
        return answer

    return asked


def _names(function: Callable[..., Any]) -> tuple[str, ...]:
    """The parameters that can be given by name or by position; none where a call must not name the first."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return ()
    if any(parameter.kind in (parameter.POSITIONAL_ONLY, parameter.VAR_POSITIONAL) for parameter in parameters):
        return ()
    return tuple(each.name for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD)


def _sentences(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], changed: list[np.ndarray]
) -> Iterator[str]:
    try:
        given = inspect.signature(function).bind(*args, **kwargs).arguments
    except (TypeError, ValueError):
        given = {}
    for name, value in given.items():
        if any(leaf is array for leaf in leaves(value) for array in changed):
            yield f"{function.__name__} writes into its argument {name}"


def _apart(tree: Any, arrays: list[np.ndarray]) -> Any:
    """The same tree, with copies of what lies in the memory of ``arrays``."""
    if isinstance(tree, dict):
        return {key: _apart(value, arrays) for key, value in tree.items()}
    if type(tree) in (list, tuple):
        return type(tree)(_apart(value, arrays) for value in tree)
    if isinstance(tree, np.ndarray) and any(np.may_share_memory(tree, array) for array in arrays):
        return tree.copy()
    return tree
