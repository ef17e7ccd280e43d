"""The promises that a file's header makes for all its functions: which questions ask for them, and what breaks them.

- ``dtype``: the same answer, to the precision of float32, for float32 copies of the arguments, in the dtype that the
  reference has. Where the header says what dtypes together make, also for those of several dtypes and for integers.
- ``strides``: the same answer for copies that lie in memory in another order; and backwards and with gaps, too.
- ``arguments``: they are as they were. This needs no question of its own.

Each exercise is asked with one small case of its own, and only where its answer to that case is right.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from autograder.compare import NOT_IMPORTED, RTOL, Failure, close
from autograder.course import Case, Conventions, Copies, Exercise, Inputs, Law
from autograder.outcome import Outcome, Value
from autograder.student.checks.agreement import as_array, difference

Outcomes = Mapping[Case, Outcome]

COPIES: dict[Law, Sequence[Copies]] = {"dtype": ["float32"], "strides": ["fortran", "strided"]}
WHEN: dict[Copies | None, str] = {
    "float32": " for float32 arguments",
    "float32 first": " for arguments of two dtypes",
    "float64 first": " for arguments of two dtypes",
    "integers": " for arguments of integers",
    "fortran": " for arguments with other strides",
    "strided": " for arguments with other strides",
}
SILENT = "silent"  # kind of failure: lists and numbers have no dtype that could be wrong, or right
FORMS = 12  # of cases that are asked in float32
STEADY = RTOL["float32"] / 10  # by which float32 may change the reference's answer where values are compared


WRITES = Failure("changed", "writes into its arguments")


class Asked(NamedTuple):
    """What is asked of one exercise for one law: ``case`` is ``plain`` with copies of the arguments."""

    law: Law
    plain: Case
    case: Case


class Breach(NamedTuple):
    """The question whose answer breaks a law, and what is wrong with it."""

    case: Case
    failure: Failure


def questions(
    conventions: Conventions, exercise: Exercise, inputs: Mapping[Case, Inputs], expected: Outcomes
) -> list[Asked]:
    """Questions for each kind of copies, about the smallest case in which they show well; about float32 alone in a case
    of every form besides, since a dtype may be lost on one way through a function and kept on another.
    """

    def rank(case: Case) -> tuple[int, ...]:
        arrays = _arrays(inputs[case])
        feeds = sum(case in criterion.cases for criterion in exercise.criteria)
        first = next(number for number, criterion in enumerate(exercise.criteria) if case in criterion.cases)
        precise = sum(array.dtype == np.float64 for array in arrays)
        axes = max(array.ndim for array in arrays)
        size = inputs[case].weight
        return (
            sum(map(_is_poor, [*arrays, *_arrays(expected[case])])),
            -feeds,
            -len(arrays),
            first,
            -precise,
            -axes,
            size,
        )

    usable = [
        case
        for case in exercise.cases()
        if case.repeats == 1 and not case.training and (not case.driver or case.driver in conventions.lent)
        if _arrays(inputs[case]) and _is_looked_at(exercise, case, inputs[case], expected[case])
    ]
    found = []
    for law, copies in COPIES.items():
        wanted = np.float64 if law == "dtype" else np.generic
        cases = [case for case in usable if any(issubclass(a.dtype.type, wanted) for a in _arrays(inputs[case]))]
        if law == "dtype":
            cases = [
                case for case in cases if all(map(_fits_float32, [*_arrays(inputs[case]), *_arrays(expected[case])]))
            ]
        if law in conventions.laws and cases:
            best: dict[Hashable, Case] = {}
            for case in sorted(cases, key=rank):
                best.setdefault(_form(inputs[case]), case)
            first, *others = best.values()
            kinds = [*copies, *(conventions.mixed.get(exercise.name, ()) if law == "dtype" else ())]
            asked = [(first, kind) for kind in kinds]
            asked += [(case, "float32") for case in others[: FORMS - 1] if law == "dtype"]
            if exercise.name in conventions.mixed:  # where nothing is said of float32 beside integers
                asked = [(case, kind) for case, kind in asked if kind != "float32" or not _has_integers(inputs[case])]
            for case, kind in asked:
                lent = conventions.lent.get(case.driver, ())
                found.append(Asked(law, case, replace(case, copies=kind, lent=lent)))
    return found


def broken(
    exercise: Exercise,
    asked: Sequence[Asked],
    inputs: Mapping[Case, Inputs],
    got: Outcomes,
    expected: Outcomes,
    wrong: Collection[Case],
) -> dict[Law, Breach | None]:
    """Law → how the exercise breaks it, or None where it keeps it; laws of which it shows nothing are left out.

    Args:
        asked, inputs, got, expected: its questions, its own cases' among them, and the answers that there are.
        wrong: the cases whose plain answers are.
    """
    found: dict[Law, Breach | None] = {}
    copied = [one for one in asked if one.plain not in wrong and one.case in got]
    for one in copied:
        if isinstance(expected.get(one.case), Value):
            failure = _failure(exercise, one, inputs[one.case], got, expected)
            if not failure or failure.kind != SILENT:
                found[one.law] = found.get(one.law) or (Breach(one.case, failure) if failure else None)
    cases = [case for case in exercise.cases() if case not in wrong and case in got]
    answers = [(case, got[case]) for case in [*cases, *(one.case for one in copied)]]
    changed = [Breach(case, WRITES) for case, answer in answers if isinstance(answer, Value) and answer.changed]
    if changed or any(isinstance(answer, Value) for _, answer in answers):
        found["arguments"] = changed[0] if changed else None
    return found


def sentence(exercise: Exercise, law: Law, breach: Breach) -> str:
    """What an exercise breaks, as a part of a list; where the file cannot be imported, that alone."""
    if breach.failure.kind == NOT_IMPORTED:
        return breach.failure.sentence.removesuffix(".")
    when = WHEN[breach.case.copies] if law != "arguments" else ""
    return f"{exercise.name} {breach.failure.sentence}{when}"


def _failure(exercise: Exercise, one: Asked, given: Inputs, answers: Outcomes, expected: Outcomes) -> Failure | None:
    """What is wrong with the answer to copies. One that is the same as to the arguments themselves is right: where an
    answer is free, in a tie, the student may have chosen another than the reference.
    """
    got, plain, want = answers[one.case], answers[one.plain], expected[one.case]
    failures = (c.failure(given, got, want) for c in exercise.criteria if one.plain in c.cases)
    wrong = next((failure for failure in failures if failure), None)
    if not (isinstance(got, Value) and isinstance(plain, Value) and isinstance(want, Value)):
        return wrong
    if one.law == "dtype" and (failure := _other_dtype(want.tree, got.tree)):
        return failure
    if one.case.copies == "float32" and close(STEADY)(given, want, expected[one.plain]):
        return None  # float32 has lost the answer, or decided a tie
    tolerance = RTOL["float32"] if one.case.copies == "float32" else None
    return None if wrong and _same(want.tree, plain.tree, got.tree, tolerance) else wrong


def _other_dtype(want: Any, got: Any) -> Failure | None:
    """Whether a floating array has another dtype than the reference's."""
    silent = False
    for right, mine in _pairs(want, got):
        if isinstance(right, np.ndarray) and right.ndim and right.dtype.kind == "f":
            if isinstance(mine, np.ndarray) and mine.dtype != right.dtype:
                return Failure("dtype", f"returns {mine.dtype}")
            silent |= not isinstance(mine, np.ndarray)
    return Failure(SILENT, "returns no array") if silent else None


def _same(form: Any, plain: Any, got: Any, rtol: float | None) -> bool:
    """Whether two answers of a student's, of the form that is expected, agree."""
    try:
        leaves = [
            (mine, as_array(right))
            for (_, right), (_, mine) in zip(_pairs(form, plain), _pairs(form, got), strict=True)
        ]
    except (TypeError, ValueError):
        return False
    return not any(
        difference(mine, right, rtol or RTOL.get(right.dtype.name, RTOL["float32"])) for mine, right in leaves
    )


def _pairs(want: Any, got: Any) -> Iterator[tuple[Any, Any]]:
    """The leaves of two trees, as far as they have the same form."""
    if isinstance(want, dict):
        for key in want if isinstance(got, dict) else ():
            yield from _pairs(want[key], got.get(key))
    elif isinstance(want, tuple):
        for right, mine in zip(want, got if isinstance(got, tuple | list) else (), strict=False):
            yield from _pairs(right, mine)
    elif isinstance(want, np.ndarray | np.generic | bool | int | float):
        yield want, got


def _form(given: Inputs) -> Hashable:
    """What two questions share that lead a function the same way: which arguments there are, of what kind; and numbers
    and words, which choose between ways, as they are.
    """

    def form(tree: Any) -> Hashable:
        if isinstance(tree, np.ndarray):
            values = "no" if tree.size == 0 else "one" if (tree == tree.flat[0]).all() else "several"
            return tree.dtype.kind, tree.ndim, values, tree.dtype.kind == "b" and bool(tree.any())
        if isinstance(tree, dict):
            return tuple((key, form(value)) for key, value in tree.items())
        if isinstance(tree, list | tuple):
            return tuple(map(form, tree))
        return repr(tree)

    return form(given.args), form(given.kwargs)


def _is_looked_at(exercise: Exercise, case: Case, given: Inputs, want: Outcome) -> bool:
    """Whether a criterion looks at what the case's answer is, and not just whether there is one."""
    return isinstance(want, Value) and any(
        criterion.failure(given, Value(None), want) for criterion in exercise.criteria if case in criterion.cases
    )


def _has_integers(given: Inputs) -> bool:
    return any(array.dtype.kind in "iu" for array in _arrays(given))


def _is_poor(array: np.ndarray) -> bool:
    """Whether an array hides the order of its axes or entries, or holds what float32 does not."""
    return min(array.shape) < 2 or (array == array.flat[0]).all() or not _fits_float32(array)


def _fits_float32(array: np.ndarray) -> bool:
    with np.errstate(over="ignore"):
        return bool(np.isfinite(array.astype(np.float32)).all())


def _arrays(given: Inputs | Outcome) -> list[np.ndarray]:
    """The arrays of numbers or truth values in arguments or an answer, without those of one number."""
    found: list[np.ndarray] = []
    todo: list[Any] = [*given.args, given.kwargs] if isinstance(given, Inputs) else [getattr(given, "tree", None)]
    while todo:
        tree = todo.pop()
        if isinstance(tree, dict | list | tuple):
            todo += tree.values() if isinstance(tree, dict) else tree
        elif isinstance(tree, np.ndarray) and tree.ndim and tree.dtype.kind in "biuf":
            found.append(tree)
    return found
