"""Checks: they see (inputs, got, want) and say what is wrong, in words that hold no hidden input or expected value.

``want`` is the outcome of the reference under the same driver. Arrays are compared by the rule of the visible tests,
in the largest norm: elementwise relative error rejects correct code wherever an output cancels.

An answer can be anything that travels. Checks do not raise, and compute on an answer only once :func:`fitted` has found
that its structure, shapes and kinds of dtype are the reference's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.outcome import Malformed, NotImported, Outcome, Raised, Stopped, Unsuitable, Value
from autograder.sandbox.wire import Tensor
from autograder.student.checks.agreement import (
    NoArray,
    OtherKind,
    OtherShape,
    OtherValues,
    as_array,
    disagreement,
    form,
)

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


# Where what is compared with is no right answer: that of a reference with a mistake in it
INCOMPARABLE = Failure("incomparable", "answers otherwise")

Check = Callable[[Any, Outcome, Outcome], Failure | None]
Pick = Callable[[Any], Any]  # a part of any tree, or a Failure where the tree has no such part


def close(rtol: float | None = None, part: int | str | Pick | None = None) -> Check:
    """Equal structure, shape and values; ``part`` is that of :func:`returned`.

    The default tolerance follows the precision of the expected array: 1e-9 for float64, 1e-4 for float32.
    """

    def compare(want: Any, got: Any) -> Failure | None:
        return _compare(want, got, rtol)

    return returned(compare, part)


def same_dtype() -> Check:
    """A right array (to float32 precision) in the reference's dtype.

    A list has no dtype that could be right or wrong. It must have the right values, to the precision of the reference.
    """
    roughly, exactly = close(RTOL["float32"]), close()

    def check(given: Any, got: Outcome, want: Outcome) -> Failure | None:
        if failure := roughly(given, got, want):
            return failure
        assert isinstance(got, Value)
        assert isinstance(want, Value)
        if isinstance(got.tree, list | tuple):
            return exactly(given, got, want)
        if isinstance(want.tree, np.ndarray) and want.tree.ndim and got.tree.dtype != want.tree.dtype:
            return Failure("dtype", f"returns an array of dtype {got.tree.dtype}")
        return None

    return check


def raises() -> Check:
    """Raises what the reference raises, and returns anything where the reference returns.

    Give it a case of each: else a function that always raises would pass.
    """

    def check(_: Any, got: Outcome, want: Outcome) -> Failure | None:
        if isinstance(want, Value):
            return None if isinstance(got, Value) else _unreturned(got)
        if isinstance(want, Raised) and isinstance(got, Raised) and got.is_a(want.name):
            return None
        if not isinstance(got, Value):
            return _unreturned(got)
        return Failure("no error", f"does not raise {want.name}") if isinstance(want, Raised) else INCOMPARABLE

    return check


def or_raises(check: Check) -> Check:
    """Raises what the reference raises; where it returns, what ``check`` says of the answer."""
    error = raises()

    def chosen(given: Any, got: Outcome, want: Outcome) -> Failure | None:
        return (error if isinstance(want, Raised) else check)(given, got, want)

    return chosen


def conforming(rtol: float | None = None, part: int | str | Pick | None = None) -> Check:
    """As :func:`close`, in the reference's dtypes, with the arguments as they were.

    The header of a file in PyTorch promises that too, and no conventions are paid for it.
    """

    def same(want: Any, got: Any) -> Failure | None:
        if isinstance(want, dict | tuple):
            keys = want if isinstance(want, dict) else range(len(want))
            return next((failure for key in keys if (failure := same(want[key], got[key]))), None)
        if isinstance(want, np.ndarray) and want.ndim and got.dtype != want.dtype:
            return Failure("dtype", f"returns {got.dtype}")
        return None

    return every(close(rtol, part), returned(same, part), unchanged())


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
        if not isinstance(want, Value):
            return INCOMPARABLE
        if got.cpu <= limit * want.cpu:
            return None
        return Failure("slow", f"takes more than {limit:g} times the CPU time of a vectorized solution")

    return check


def returned(compare: Callable[[Any, Any], Failure | None], part: int | str | Pick | None = None) -> Check:
    """A check of what was returned, as ``compare(want, got)``: trees of plain arrays that differ in values alone.

    ``part`` selects an element of a returned tuple or dictionary, or picks from whatever was returned; the rest of the
    answer may then be of any kind.
    """

    def check(_: Any, got: Outcome, want: Outcome) -> Failure | None:
        if not isinstance(got, Value):
            return _unreturned(got)
        if not isinstance(want, Value):
            return INCOMPARABLE
        right, mine = want.tree, got.tree
        if callable(part):
            right, mine = part(right), part(mine)
        elif part is not None:
            if failure := _structure(right, mine):
                return failure
            right, mine = right[part], mine[part]
        if isinstance(mine, Failure):
            return mine
        mine, right = fitted(right, mine), fitted(right, right)
        if isinstance(right, Failure):
            return INCOMPARABLE
        return mine if isinstance(mine, Failure) else compare(right, mine)

    return check


def judged(look: Callable[[Any, Any], Failure | None], part: int | str | Pick | None = None) -> Check:
    """A check of a property, as ``look(given, got)``: what was returned, beside the inputs and not another answer.

    ``got`` is a tree of plain arrays with the reference's structure, shapes and kinds of dtype, and ``part`` selects as
    it does for :func:`returned`.
    """

    def check(given: Any, got: Outcome, want: Outcome) -> Failure | None:
        return returned(lambda _, tree: look(given, tree), part)(given, got, want)

    return check


def entries(prefix: str, part: int) -> Pick:
    """The entries whose names begin with ``prefix`` of the dictionary that is element ``part`` of a pair."""

    def pick(tree: Any) -> Any:
        if not (isinstance(tree, tuple | list) and len(tree) == 2 and isinstance(tree[part], dict)):
            return Failure("type", "does not return two values, one of them a dictionary")
        return {name: value for name, value in tree[part].items() if isinstance(name, str) and name.startswith(prefix)}

    return pick


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


def fitted(want: Any, got: Any) -> Any:
    """The answer as a tree of plain arrays of the structure, shapes and kinds of dtype that ``want`` has, with tensors
    where that has tensors; else a :class:`Failure` that says what is different. Lists may stand for tuples and arrays.
    """
    if isinstance(want, dict | tuple):
        if failure := _structure(want, got):
            return failure
        tree = {}
        for key in want if isinstance(want, dict) else range(len(want)):
            tree[key] = fitted(want[key], got[key])
            if isinstance(tree[key], Failure):
                return tree[key]
        return tree if isinstance(want, dict) else tuple(tree.values())
    if want is None or isinstance(want, str):
        return got if type(got) is type(want) else Failure("values", "returns something else")
    return _fitted_array(want, got)


def _compare(want: Any, got: Any, rtol: float | None) -> Failure | None:
    """Trees that differ in values alone."""
    if isinstance(want, dict | tuple):
        keys = want if isinstance(want, dict) else range(len(want))
        return next((f for key in keys if (f := _compare(want[key], got[key], rtol))), None)
    if isinstance(want, np.ndarray):
        found = disagreement(got, want, RTOL.get(want.dtype.name, RTOL["float32"]) if rtol is None else rtol)
        return _values(want, found) if found else None
    return None if got == want else Failure("values", "returns something else")


def _structure(want: Any, got: Any) -> Failure | None:
    if isinstance(want, dict):
        if not isinstance(got, dict):
            return Failure("type", f"returns {_kind(got)} instead of a dictionary")
        return None if got.keys() == want.keys() else Failure("keys", "returns a dictionary with other keys")
    if not isinstance(got, tuple | list):
        return Failure("type", f"returns {_kind(got)} instead of several values")
    return None if len(got) == len(want) else Failure("type", "does not return as many values as it should")


def _fitted_array(want: Any, got: Any) -> np.ndarray | Failure:
    try:
        right = as_array(want)
    except (TypeError, ValueError):
        return INCOMPARABLE
    if isinstance(want, Tensor) and not isinstance(got, Tensor):
        return Failure("type", f"returns {_kind(got)} instead of a tensor")
    found = form(got, right)
    match found:
        case np.ndarray() if isinstance(got, list) and right.dtype.kind in "iu":
            with np.errstate(invalid="ignore"):
                narrow = found.astype(right.dtype)  # a list has no dtype that could be right or wrong
            return narrow if np.array_equal(narrow, found) else found
        case np.ndarray():
            return found
        case NoArray(ragged) if isinstance(got, list):
            what = "whose rows differ in length" if ragged else "that holds something else than numbers"
            return Failure("type", f"returns a list {what}")
        case OtherShape() if not isinstance(got, tuple):
            return Failure("shape", "returns the wrong shape")
        case NoArray() | OtherShape():
            return Failure("type", f"returns {_kind(got)} instead of {'an array' if right.ndim else 'a number'}")
        case OtherKind(array):
            return Failure("dtype", f"returns dtype {array.dtype} where {_WORD.get(right.dtype.kind)} is expected")


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
