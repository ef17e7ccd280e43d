"""Checks: they see (inputs, got, want) and say what is wrong, in words that hold no hidden input or expected value.

``want`` is the outcome of the reference under the same driver. Arrays are compared by the rule of the visible tests,
in the largest norm: elementwise relative error rejects correct code wherever an output cancels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.outcome import Malformed, NotImported, Outcome, Raised, Stopped, Unsuitable, Value
from autograder.sandbox.wire import Tensor
from autograder.student.agreement import NoArray, OtherKind, OtherShape, OtherValues, difference

RTOL = {"float64": 1e-9, "float32": 1e-4}

NOT_STARTED, NOT_IMPORTED = "not started", "not imported"

STOPPED = {
    "time": "uses more CPU time than it may",
    "waiting": "waits without computing for too long",
    "budget": "was not run, because earlier calls had used up the time",
    "answers": "was not run, because earlier answers were far too large",
    "died": "ends the Python process",
    "protocol": "disturbs the connection to the grader",
    "threads": "starts more threads than it may",
}


@dataclass(frozen=True)
class Failure:
    """Why a check rejects an outcome: a kind to count by, and what the student's function did, in words."""

    kind: str
    sentence: str


Check = Callable[[Any, Outcome, Outcome], Failure | None]


def close(rtol: float | None = None, part: int | str | None = None) -> Check:
    """Equal structure, shape and values; ``part`` selects an element of a returned tuple or dictionary.

    The default tolerance follows the precision of the expected array: 1e-9 for float64, 1e-4 for float32.
    """

    def compare(want: Any, got: Any) -> Failure | None:
        return _compare(want, got, rtol)

    return returned(compare, part)


def same_dtype() -> Check:
    """A right array (to float32 precision) in the reference's dtype."""

    def compare(want: Any, got: Any) -> Failure | None:
        if failure := _compare(want, got, RTOL["float32"]):
            return failure
        exempt = isinstance(got, list | tuple | int | float) or np.ndim(want) == 0  # these need none
        if not exempt and got.dtype != want.dtype:
            return Failure("dtype", f"returns an array of dtype {got.dtype}")
        return None

    return returned(compare)


def raises() -> Check:
    """Raises what the reference raises, and returns anything where the reference returns.

    Give it a case of each: else a function that always raises would pass.
    """

    def check(_: Any, got: Outcome, want: Outcome) -> Failure | None:
        if isinstance(want, Value):
            return None if isinstance(got, Value) else _unreturned(got)
        assert isinstance(want, Raised)
        if isinstance(got, Raised) and got.is_a(want.name):
            return None
        return Failure("no error", f"does not raise {want.name}") if isinstance(got, Value) else _unreturned(got)

    return check


def every(*checks: Check) -> Check:
    """The first failure of several checks."""

    def check(given: Any, got: Outcome, want: Outcome) -> Failure | None:
        return next((failure for one in checks if (failure := one(given, got, want))), None)

    return check


def unchanged() -> Check:
    """The call left its arguments as they were. The report comes from the child: worth few points, and only together
    with a check of the answer."""

    def check(_: Any, got: Outcome, want: Outcome) -> Failure | None:
        if isinstance(got, Value):
            return Failure("changed", "writes into one of its arguments") if got.changed else None
        return _unreturned(got)

    return check


def cpu_ratio(limit: float) -> Check:
    """At most ``limit`` times the reference's CPU, both read by the judge in the same kind of sandbox."""

    def check(_: Any, got: Outcome, want: Outcome) -> Failure | None:
        if not isinstance(got, Value):
            return _unreturned(got)
        assert isinstance(want, Value)
        if got.cpu <= limit * want.cpu:
            return None
        return Failure("slow", f"takes more than {limit:g} times the CPU time of a vectorized solution")

    return check


def returned(compare: Callable[[Any, Any], Failure | None], part: int | str | None = None) -> Check:
    """A check of what was returned, as ``compare(want, got)``."""

    def check(_: Any, got: Outcome, want: Outcome) -> Failure | None:
        assert isinstance(want, Value)
        if not isinstance(got, Value):
            return _unreturned(got)
        if part is None:
            return compare(want.tree, got.tree)
        if failure := _structure(want.tree, got.tree):
            return failure
        return compare(want.tree[part], got.tree[part])

    return check


def judged(look: Callable[[Any, Any], Failure | None]) -> Check:
    """A check of a property, as ``look(given, got)``: what was returned, beside the inputs and not another answer."""

    def check(given: Any, got: Outcome, want: Outcome) -> Failure | None:
        return returned(lambda _, tree: look(given, tree))(given, got, want)

    return check


def _unreturned(got: Outcome) -> Failure:
    match got:
        case Raised("NotImplementedError"):
            return Failure(NOT_STARTED, "is not started")
        case Raised("MemoryError"):
            return Failure("memory", "uses more memory than it may")
        case Raised(name):
            return Failure("raised", f"raises {name}")
        case Malformed():
            return Failure("type", "returns something that is neither an array nor a number")
        case Stopped(reason):
            return Failure(reason, STOPPED[reason])
        case Unsuitable("missing"):
            return Failure("missing", "is not defined")
        case Unsuitable("parameters"):
            return Failure("parameters", "does not take the parameters that the stub lists")
        case Unsuitable("forbidden", name):
            return Failure("forbidden", f"uses {name}, which this exercise forbids")
        case Unsuitable("unread", name):
            return Failure("unread", f"cannot be looked at for what it forbids: {name} is too long or too complicated")
        case Unsuitable("inconsistent"):
            return Failure("inconsistent", "gives another answer when it is asked again")
        case Unsuitable("oversized"):
            return Failure("oversized", "returns far more than it should")
        case NotImported(detail):
            return Failure(NOT_IMPORTED, detail)
    raise AssertionError(got)


def _compare(want: Any, got: Any, rtol: float | None) -> Failure | None:
    if isinstance(want, dict | tuple):
        if failure := _structure(want, got):
            return failure
        keys = list(want) if isinstance(want, dict) else range(len(want))
        return next((f for key in keys if (f := _compare(want[key], got[key], rtol))), None)
    if want is None or isinstance(want, str):
        return None if type(got) is type(want) and got == want else Failure("values", "returns something else")
    return _compare_arrays(np.asarray(want), got, isinstance(want, Tensor), rtol)


def _structure(want: Any, got: Any) -> Failure | None:
    if isinstance(want, dict):
        if not isinstance(got, dict):
            return Failure("type", f"returns {_kind(got)} instead of a dictionary")
        return None if got.keys() == want.keys() else Failure("keys", "returns a dictionary with other keys")
    if not isinstance(got, tuple | list):
        return Failure("type", f"returns {_kind(got)} instead of several values")
    return None if len(got) == len(want) else Failure("type", "does not return as many values as it should")


def _compare_arrays(want: np.ndarray, got: Any, tensor: bool, rtol: float | None) -> Failure | None:
    if tensor and not isinstance(got, Tensor):
        return Failure("type", f"returns {_kind(got)} instead of a tensor")
    found = difference(got, want, RTOL.get(want.dtype.name, RTOL["float32"]) if rtol is None else rtol)
    match found:
        case None:
            return None
        case NoArray(ragged) if isinstance(got, list):
            what = "whose rows differ in length" if ragged else "that holds something else than numbers"
            return Failure("type", f"returns a list {what}")
        case OtherShape() if not isinstance(got, tuple):
            return Failure("shape", "returns the wrong shape")
        case NoArray() | OtherShape():
            return Failure("type", f"returns {_kind(got)} instead of {'an array' if want.ndim else 'a number'}")
        case OtherKind(array):
            return Failure("dtype", f"returns dtype {array.dtype} where {_WORD[want.dtype.kind]} is expected")
        case OtherValues():
            return _values(want, found)


_WORD = {"b": "a truth value", "i": "an integer", "u": "an integer", "f": "a number"}


def _values(want: np.ndarray, found: OtherValues) -> Failure:
    """How far off the values are, in bands: a number would tell the expected ones."""
    if want.dtype.kind == "b":
        return Failure("values", "gives the wrong answer")
    finite = np.isfinite(want)
    if not np.isfinite(found.got[finite]).all():
        return Failure("not finite", "returns values that are not finite")
    if found.where[~finite].any():
        return Failure("values", "returns other values where the answer is not finite")
    error = found.error[finite].max()
    if found.largest == 0 or error > 0.3 * found.largest:
        return Failure("values", "returns values that are far off")
    if error > 1e-3 * found.largest:
        return Failure("values", "returns values that are off")
    return Failure("values", "returns values that are nearly right")


def _kind(value: Any) -> str:
    if value is None:
        return "None"
    if isinstance(value, Tensor):
        return "a tensor"
    if isinstance(value, np.ndarray):
        return "an array" if value.ndim else "a number"
    names = {dict: "a dictionary", tuple: "a tuple", list: "a list", str: "a string", bool: "a truth value"}
    return names.get(type(value), "a number")
