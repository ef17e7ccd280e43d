"""Decorators that break one promise of a function each, and nothing else: what clause mutants are made of.

The file stands beside the mutated reference in the child, as the module ``breaking``.
"""

from __future__ import annotations

import copy
import functools
import inspect
import itertools
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

Function = Callable[..., Any]
Decorator = Callable[[Function], Function]


def _torch() -> Any:
    """PyTorch where there is one: a part of NumPy has none."""
    return sys.modules.get("torch")


def _is_tensor(value: Any) -> bool:
    return _torch() is not None and isinstance(value, _torch().Tensor)


def pair(value: Any) -> Any:
    """One number for both axes, or two, as two: for conditions."""
    return (value, value) if not isinstance(value, tuple) else value


def _mapped(tree: Any, change: Callable[[Any], Any]) -> Any:
    """The tree with every array and tensor in it changed."""
    if isinstance(tree, dict):
        return {key: _mapped(value, change) for key, value in tree.items()}
    if isinstance(tree, list | tuple):
        return type(tree)(_mapped(value, change) for value in tree)
    return change(tree) if isinstance(tree, np.ndarray) or _is_tensor(tree) else tree


def _arrays(tree: Any) -> list[Any]:
    found: list[Any] = []
    _mapped(tree, found.append)
    return found


def _with_arguments(change: Callable[[dict[str, Any]], None]) -> Decorator:
    """Let ``change`` exchange arguments, by name and with defaults, before the function gets them."""

    def decorate(function: Function) -> Function:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def broken(*args: Any, **kwargs: Any) -> Any:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            change(bound.arguments)
            return function(*bound.args, **bound.kwargs)

        return broken

    return decorate


def _with_answer(change: Callable[[Any], Any]) -> Decorator:
    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def broken(*args: Any, **kwargs: Any) -> Any:
            return change(function(*args, **kwargs))

        return broken

    return decorate


def _after(look: Callable[[dict[str, Any]], None]) -> Decorator:
    """Let ``look`` do something to the arguments once the answer is there."""

    def decorate(function: Function) -> Function:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def broken(*args: Any, **kwargs: Any) -> Any:
            bound = signature.bind(*args, **kwargs)
            answer = function(*args, **kwargs)
            look(bound.arguments)
            return answer

        return broken

    return decorate


# Arrays


def widened() -> Decorator:
    """Floating arrays of the answer are float64."""

    def wide(array: Any) -> Any:
        if _is_tensor(array):
            return array.double() if array.is_floating_point() else array
        return array.astype(np.float64) if array.dtype.kind == "f" else array

    return _with_answer(lambda answer: _mapped(answer, wide))


def computed_in_dtype_of(name: str) -> Decorator:
    """All arrays are converted to the dtype of one argument first."""

    def change(arguments: dict[str, Any]) -> None:
        dtype = _arrays(arguments[name])[0].dtype
        arguments.update(_mapped(arguments, lambda array: array.astype(dtype)))

    return _with_arguments(change)


def answer_in_dtype_of(name: str) -> Decorator:
    """The answer has the dtype of an argument, also if that holds integers."""

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def broken(*args: Any, **kwargs: Any) -> Any:
            (argument,) = _arrays(inspect.signature(function).bind(*args, **kwargs).arguments[name])
            return _mapped(function(*args, **kwargs), lambda array: array.astype(argument.dtype))

        return broken

    return decorate


def squeezed(axis: int | None) -> Decorator:
    """The answer's arrays lose an axis of length one: the first, the last or, for None, all."""

    def squeeze(array: Any) -> Any:
        if not array.ndim or (axis is not None and array.shape[axis] != 1):
            return array
        if _is_tensor(array):
            return array.squeeze() if axis is None else array.squeeze(axis)
        return np.squeeze(array, axis)

    return _with_answer(lambda answer: _mapped(answer, squeeze))


def overwrites_answers() -> Decorator:
    """Arrays of the answer are kept, and the next answer of that form is written into them."""
    room: dict[Any, np.ndarray] = {}

    def keep(answer: Any) -> Any:
        place = itertools.count()

        def kept(array: Any) -> Any:
            mine = room.setdefault((next(place), array.shape, array.dtype), np.empty_like(array))
            mine[...] = array
            return mine

        return _mapped(answer, kept)

    return _with_answer(keep)


def trusts_objects() -> Decorator:
    """Where all arguments are those of the last call, the same objects or equal numbers, its answer is given again."""
    last: list[Any] = []

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def broken(*args: Any, **kwargs: Any) -> Any:
            given = [*args, *kwargs, *kwargs.values()]
            if not (last and len(given) == len(last[0]) and all(map(_is_same, given, last[0]))):
                last[:] = given, function(*args, **kwargs)
            return last[1]

        return broken

    return decorate


def _is_same(one: Any, other: Any) -> bool:
    return one is other or (type(one) in (bool, int, float, str) and one == other)


def remembers_without(name: str) -> Decorator:
    """Answers are remembered, by all arguments but one."""
    answers: dict[Any, Any] = {}

    def decorate(function: Function) -> Function:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def broken(*args: Any, **kwargs: Any) -> Any:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            rest = {argument: value for argument, value in bound.arguments.items() if argument != name}
            key = repr(_mapped(rest, _contents))
            if key not in answers:
                answers[key] = function(*args, **kwargs)
            return answers[key]

        return broken

    return decorate


def hands_out_again() -> Decorator:
    """Answers are remembered, and the same arrays are given whenever the arguments are the same."""
    answers: dict[str, Any] = {}

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def broken(*args: Any, **kwargs: Any) -> Any:
            key = repr(_mapped((args, kwargs), _contents))
            if key not in answers:
                answers[key] = copy.deepcopy(function(*args, **kwargs))
            return answers[key]

        return broken

    return decorate


def _contents(array: Any) -> tuple[Any, ...]:
    return str(array.dtype), array.shape, array.tobytes()


def writes_into(name: str) -> Decorator:
    """An argument is written to, once the answer is there."""

    def write(arguments: dict[str, Any]) -> None:
        for array in _arrays(arguments.get(name))[:1]:
            if _is_tensor(array):
                with _torch().no_grad():
                    array.copy_(~array if array.dtype == _torch().bool else array + 1)
            else:
                array[...] = ~array if array.dtype.kind == "b" else array + 1

    return _after(write)


def reads_contiguously(name: str) -> Decorator:
    """An argument's memory is read in C order without gaps, wherever its entries really are."""

    def read(array: Any) -> Any:
        if _is_tensor(array):
            return (
                array if 0 in array.stride() else array.as_strided(array.shape, array.new_empty(array.shape).stride())
            )
        if 0 in array.strides or not array.ndim:
            return array
        first = array[tuple(np.s_[::-1] if stride < 0 else np.s_[:] for stride in array.strides)]  # in memory
        return np.lib.stride_tricks.as_strided(first, array.shape, np.empty(array.shape, array.dtype).strides)

    def change(arguments: dict[str, Any]) -> None:
        arguments[name] = _mapped(arguments[name], read)

    return _with_arguments(change)


# Keywords and errors


def ignores(name: str) -> Decorator:
    """A keyword always has its default."""

    def decorate(function: Function) -> Function:
        default = inspect.signature(function).parameters[name].default

        def change(arguments: dict[str, Any]) -> None:
            arguments[name] = default

        return _with_arguments(change)(function)

    return decorate


def takes_falsy_for_default(name: str) -> Decorator:
    """A keyword's 0, False or empty value is taken for none, as in ``momentum or 0.9``."""

    def decorate(function: Function) -> Function:
        default = inspect.signature(function).parameters[name].default

        def change(arguments: dict[str, Any]) -> None:
            if isinstance(arguments[name], int | float | str | tuple) and not arguments[name]:
                arguments[name] = default

        return _with_arguments(change)(function)

    return decorate


def raises_nothing(condition: Callable[..., bool] | None = None) -> Decorator:
    """An error is swallowed, always or where the condition holds for the arguments."""

    def decorate(function: Function) -> Function:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def broken(*args: Any, **kwargs: Any) -> Any:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            try:
                return function(*args, **kwargs)
            except ValueError:
                if condition is None or condition(**bound.arguments):
                    return None
                raise

        return broken

    return decorate


# PyTorch


def detached() -> Decorator:
    """Gradients end at the answer, and a module that is returned has parameters that require none."""

    def detach(answer: Any) -> Any:
        if _torch() is not None and isinstance(answer, _torch().nn.Module):
            return answer.requires_grad_(False)
        return _mapped(answer, lambda tensor: tensor.detach())

    return _with_answer(detach)


def leaves_mode(name: str, training: bool) -> Decorator:
    """All of a module is in one mode afterwards."""
    return _after(lambda arguments: arguments[name].train(training))


def enters_mode(name: str, training: bool) -> Decorator:
    """A module computes in the mode that it comes in, or in the other one: its own ``train`` switches nothing."""

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def broken(*args: Any, **kwargs: Any) -> Any:
            modes = inspect.signature(function).bind(*args, **kwargs).arguments[name]
            modes.train(training)
            modes.train = modes.eval = lambda *_: modes
            try:
                return function(*args, **kwargs)
            finally:
                del modes.train, modes.eval

        return broken

    return decorate


def keeps_buffers(name: str) -> Decorator:
    """A module's buffers are what they were before the call."""

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def broken(*args: Any, **kwargs: Any) -> Any:
            module = inspect.signature(function).bind(*args, **kwargs).arguments[name]
            before = [(buffer, buffer.clone()) for buffer in module.buffers()]
            answer = function(*args, **kwargs)
            for buffer, value in before:
                buffer.copy_(value)
            return answer

        return broken

    return decorate


def fails_without_gradient(name: str) -> Decorator:
    """A parameter of the module whose gradient is None makes the call fail afterwards."""

    def look(arguments: dict[str, Any]) -> None:
        for parameter in arguments[name].parameters():
            parameter.grad.norm()

    return _after(look)


def first_group_only(name: str) -> Decorator:
    """Of an optimizer's parameter groups only the first one takes part."""

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def broken(*args: Any, **kwargs: Any) -> Any:
            optimizer = inspect.signature(function).bind(*args, **kwargs).arguments[name]
            groups = [*optimizer.param_groups]
            del optimizer.param_groups[1:]
            try:
                return function(*args, **kwargs)
            finally:
                optimizer.param_groups[:] = groups

        return broken

    return decorate
