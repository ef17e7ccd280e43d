# Generated from autograder/student/checks/comparing.py by "python -m autograder build": change it there.
"""Comparisons that explain themselves."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from .agreement import NoArray, OtherKind, OtherShape, OtherValues, as_array, difference


class Failed(AssertionError):
    """A check did not hold; the message is written for the student."""


class Differs(Failed):
    """An answer is not the expected one."""

    def __init__(self, sentence: str, what: str, got: Any, want: np.ndarray) -> None:
        super().__init__(sentence)
        self.what, self.got, self.want = what, got, want


class NotRaised(Failed):
    """What should have raised a ValueError did something else."""


on_difference: Callable[[Differs, str], None] | None = None  # takes the place of raising it; with the test's line


def equal(got: Any, want: Any, rtol: float = 1e-9, *, what: str = "The result") -> None:
    """Hold a result to the expected one: shape, then type, then values.

    Numbers of any precision will do for numbers, and only truth values for truth values. Values agree when
    max|got - want| <= rtol * max|want|; nothing is broadcast, and what is not finite must be met exactly. Grading
    compares by the same rule, with tolerances of its own, and integers exactly.

    Args:
        got: what the student's code returned: an array, a number, a list, or a tensor where ``want`` is one.
        want: the expected array or number. Whole numbers stand for real ones, which are often written so.
        rtol: tolerance relative to the largest expected magnitude.
        what: how the message calls the result.

    Raises:
        Failed: with the first difference in words.
    """
    __tracebackhide__ = True
    if hasattr(want, "detach") and not hasattr(got, "detach"):
        raise Failed(f"{what} is {describe(got)}, expected a tensor.")
    want = as_array(want)
    want = want.astype(np.float64) if want.dtype.kind in "iu" else want
    if not (sentence := _difference(got, want, rtol)):
        return
    found = Differs(f"{what} {sentence}", what, got, want)
    if not on_difference:
        raise found
    frame = sys._getframe(1)
    on_difference(found, f"{frame.f_code.co_filename}:{frame.f_lineno}")


def has_dtype(got: Any, dtype: Any, *, what: str = "The result") -> None:
    """Hold a returned array to a dtype, whatever its values.

    Raises:
        Failed: it is no array, or has another dtype.
    """
    __tracebackhide__ = True
    if not isinstance(got, np.ndarray | np.generic):
        raise Failed(f"{what} is {describe(got)}, expected an array of dtype {np.dtype(dtype)}.")
    if got.dtype != dtype:
        raise Failed(f"{what} has dtype {got.dtype}, expected {np.dtype(dtype)}.")


def raises(function: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """Hold ``function(*args, **kwargs)`` to raising a ValueError.

    Raises:
        Failed: it returned, or raised something else.
    """
    __tracebackhide__ = True
    try:
        got = function(*args, **kwargs)
    except ValueError:
        return
    except NotImplementedError:
        raise
    except Exception as error:
        raise NotRaised(f"Expected a ValueError, got {name_and_message(error)}") from error
    described = f"a {type(got).__name__}" if describe(got).startswith("of type") else describe(got)
    raise NotRaised(f"Expected a ValueError, but the function returned {described}.")


def unpack(result: Any, *names: str) -> tuple[Any, ...]:
    """The elements of a returned tuple, one for each name.

    Raises:
        Failed: it is no tuple, or one of another length.
    """
    __tracebackhide__ = True
    if not isinstance(result, tuple | list):
        raise Failed(f"The result is {describe(result)}, expected a tuple ({', '.join(names)}).")
    if len(result) != len(names):
        raise Failed(f"The result has length {len(result)}, expected {len(names)}: ({', '.join(names)}).")
    return tuple(result)


def describe(value: Any) -> str:
    """What a value is, in a few words that follow "is"."""
    if value is None:
        return "None"
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape} and dtype {value.dtype}"
    return f"of type {type(value).__name__}"


def name_and_message(error: BaseException) -> str:
    """As the last line of a traceback says it."""
    return f"{type(error).__name__}: {error}".strip(": ")


def _difference(got: Any, want: np.ndarray, rtol: float) -> str:
    """How ``got`` differs, as the rest of a sentence; empty where it agrees."""
    expected = f"an array of shape {want.shape}" if want.ndim else "a number"
    if got is None:
        return f"is None, expected {expected}: is a return statement missing?"
    found = difference(got, want, rtol)
    match found:
        case NoArray(ragged=True) if isinstance(got, list):
            return f"is a list whose rows differ in length, expected {expected}."
        case NoArray():
            return f"is {describe(got)}, expected {expected}."
        case OtherShape(array):
            return f"has shape {array.shape}, expected {want.shape}."
        case OtherKind(array):
            return f"has dtype {array.dtype}, expected {'True or False' if want.dtype.kind == 'b' else 'real numbers'}."
        case OtherValues():
            return f"{_first(found, want)}."
    return ""


def _first(found: OtherValues, want: np.ndarray) -> str:
    """The first value that differs, and how many do."""
    if not want.ndim:
        return f"is {_show(found.got)}, expected {_show(want)}"
    first = tuple(np.argwhere(found.where)[0])
    place, values = ", ".join(map(str, first)), f"got {_show(found.got[first])}, expected {_show(want[first])}"
    return f"differs first at [{place}]: {values} ({np.count_nonzero(found.where)} of {want.size} entries differ)"


def _show(number: Any) -> str:
    value = number.item()
    return f"{value:.12g}" if isinstance(value, float) else str(value)
