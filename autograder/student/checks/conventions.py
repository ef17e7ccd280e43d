"""What the header of a file promises for all its functions, asked of each with small arrays."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np

from . import files
from .agreement import as_array, difference
from .calls import leaves
from .comparing import Failed, name_and_message
from .inputs import Copy
from .reading import NOT_STARTED, module


class Call(NamedTuple):
    """What a function is called with."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]


def call(*args: Any, **kwargs: Any) -> Call:
    """``call(x, h, stride=2)`` reads like the call that it stands for."""
    return Call(args, kwargs)


def keeps_dtype(name: str, calls: Mapping[str, Call], *, first: Collection[str] = ()) -> None:
    """Hold the functions of a module to the same answer, in float32, where all arrays of a call are float32.

    Numbers and lists have no dtype. A function that is not written, or fails otherwise, is not asked: its own tests say
    so.

    Args:
        name: of the student's module.
        calls: function -> a call of it with arrays in float64.
        first: functions of whose answer, a tuple, only the first element is looked at.

    Raises:
        Failed: a function breaks the promise, or fewer than half of them return anything.
    """
    __tracebackhide__ = True

    def broken(function: str, plain: Any, again: Any, changed: bool) -> str:
        if function in first:
            plain, again = (answer[:1] if isinstance(answer, tuple | list) else answer for answer in (plain, again))
        arrays = [leaf for leaf in leaves(again) if isinstance(leaf, np.ndarray) and leaf.ndim]
        if other := [array.dtype for array in arrays if array.dtype.kind == "f" and array.dtype != np.float32]:
            return f"returns {other[0]} for float32 arguments"
        return "" if _agree(plain, again, 1e-4) else "returns something else for float32 arguments"

    _hold(name, calls, [_float32], broken)


def widens_dtype(name: str, calls: Mapping[str, Call]) -> None:
    """Hold the functions of a module to float64, and to the answer that they give where all arrays are float64, where
    one array of a call is float64 or holds integers.

    Parameters and errors are those of :func:`keeps_dtype`, but the calls have such arrays.
    """
    __tracebackhide__ = True

    def broken(function: str, wide: Any, mixed: Any, changed: bool) -> str:
        arrays = [leaf for leaf in leaves(mixed) if isinstance(leaf, np.ndarray) and leaf.ndim]
        if other := [array.dtype for array in arrays if array.dtype != np.float64]:
            return f"returns {other[0]} where one argument is float64 or holds integers"
        return "" if _agree(wide, mixed, 1e-9) else "returns something else where the dtypes of arguments differ"

    _hold(name, calls, [np.copy], broken, plain=_float64)


def keeps_strides(name: str, calls: Mapping[str, Call]) -> None:
    """Hold the functions of a module to the same answer where the arrays of a call lie in memory in another order, or
    are :func:`strided`.

    Parameters and errors are those of :func:`keeps_dtype`.
    """
    __tracebackhide__ = True

    def broken(function: str, plain: Any, again: Any, changed: bool) -> str:
        return "" if _agree(plain, again, 1e-9) else "returns something else for arguments with other strides"

    _hold(name, calls, [_fortran, strided], broken)


def keeps_arguments(name: str, calls: Mapping[str, Call]) -> None:
    """Hold the functions of a module to leaving their arguments as they are.

    Parameters and errors are those of :func:`keeps_dtype`.
    """
    __tracebackhide__ = True

    def broken(function: str, plain: Any, again: Any, changed: bool) -> str:
        return "writes into its arguments" if changed else ""

    _hold(name, calls, [np.copy], broken)


def strided(array: np.ndarray) -> np.ndarray:
    """A copy whose axes lie in memory in the opposite order, backwards and with gaps."""
    room = np.zeros([2 * side for side in reversed(array.shape)], array.dtype)
    view = room.T[tuple(slice(None, None, -2) for _ in array.shape)]
    view[...] = array
    return view


def _float32(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float32 if array.dtype == np.float64 else array.dtype)


def _float64(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float64)


def _fortran(array: np.ndarray) -> np.ndarray:
    return np.array(array, order="F")


def _hold(
    name: str,
    calls: Mapping[str, Call],
    copies: Sequence[Copy],
    broken: Callable[[str, Any, Any, bool], str],
    plain: Copy = np.copy,
) -> None:
    """Hold functions to what ``broken`` says, if anything, of a function, its answer to a call with ``plain`` copies of
    all arrays, its answer to the same call with other copies, and whether those were written to. The first sentence for
    each function counts. Of functions that call one another, only those at the bottom are blamed.
    """
    __tracebackhide__ = True
    asked = module(name)
    answers, unwritten = {}, 0
    for function, given in calls.items():
        try:
            answers[function], _ = _ask(getattr(asked, function), given, plain)
        except NotImplementedError:
            unwritten += 1
        except Exception:  # its own tests show it
            continue
    if unwritten == len(calls):
        raise Failed(NOT_STARTED)
    if 2 * len(answers) < len(calls):
        raise Failed(f"Fewer than half of the functions of {name}.py return anything yet.")
    found = dict[str, str]()
    for function, answer in answers.items():
        for copy in copies:
            try:
                sentence = broken(function, answer, *_ask(getattr(asked, function), calls[function], copy))
            except Exception as error:
                sentence = f"raises {name_and_message(error)}"
            if sentence:
                found.setdefault(function, f"{function} {sentence}")
    below = {function: files.calls(function) & found.keys() for function in found}
    said = []
    for function, sentence in found.items():
        if all(function in below[other] for other in below[function]):
            above = [other for other in found if function in below[other] and other not in below[function]]
            said.append(sentence + (f", and is called by {', '.join(above)}" if above else ""))
    if said:
        raise Failed(f"{'; '.join(said)}.")


def _ask(function: Callable[..., Any], given: Call, copy: Copy) -> tuple[Any, bool]:
    """The answer to a call with copies of all arrays, and whether it has changed one of those."""
    args, kwargs = _copied(given, copy)
    before = _written((args, kwargs))
    answer = function(*args, **kwargs)
    return answer, _written((args, kwargs)) != before


def _written(tree: Any) -> list[Any]:
    """What the arrays in a tree hold, to be compared."""
    arrays = (leaf for leaf in leaves(tree) if isinstance(leaf, np.ndarray))
    return [(array.dtype, array.shape, array.tobytes()) for array in arrays]


def _copied(tree: Any, copy: Copy) -> Any:
    if isinstance(tree, dict):
        return {key: _copied(value, copy) for key, value in tree.items()}
    if isinstance(tree, list | tuple):
        copies = [_copied(value, copy) for value in tree]
        return copies if isinstance(tree, list) else tuple(copies)
    if isinstance(tree, np.ndarray) and tree.ndim:
        return copy(tree)
    return deepcopy(tree)  # a generator must not go on where the last call left it


def _agree(plain: Any, again: Any, rtol: float) -> bool:
    """Whether two answers hold the same numbers, as far as they are made of numbers."""
    mine, theirs = list(leaves(plain)), list(leaves(again))
    if len(mine) != len(theirs):
        return False
    try:
        wanted = [as_array(leaf) for leaf in mine]
    except TypeError:
        return True
    return not any(difference(got, want, rtol) for got, want in zip(theirs, wanted, strict=True))
