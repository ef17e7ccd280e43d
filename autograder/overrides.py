"""``overrides.csv``: points that a teacher sets by hand. They stand beside the results and survive every regrade."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder import decimals
from autograder.course import CourseError
from autograder.results import SubmissionResult
from autograder.rows import read_rows
from autograder.text import shortened

COLUMNS = ("student", "exercise", "points", "reason")


@dataclass(frozen=True)
class Override:
    """``points`` for one exercise of one student, whatever its criteria earned."""

    student: str
    exercise: str
    points: float
    reason: str


def read_overrides(path: Path) -> list[Override]:
    """The rows of ``path``; none when there is no such file.

    Raises:
        CourseError: it is no CSV, a column is missing, a row has too many fields, or points are not a number; the
            message names file and line.
    """
    return [_override(*fields, where=where) for where, fields in read_rows(path, COLUMNS)]


def _override(student: str, exercise: str, text: str, reason: str, *, where: str) -> Override:
    if not text:
        raise CourseError(f"{where} has no points.")
    try:
        return Override(student, exercise, decimals.number(text), reason)
    except ValueError as error:
        raise CourseError(f"{where}: {shortened(str(error))}.") from None


def apply_overrides(result: SubmissionResult, overrides: Sequence[Override]) -> SubmissionResult:
    """``result`` with exactly these overrides, the last of several for the same exercise."""
    mine = {o.exercise: o for o in overrides if o.student == result.student}
    exercises = tuple(
        dataclasses.replace(e, override=mine[e.name].points, reason=mine[e.name].reason)
        if e.name in mine
        else dataclasses.replace(e, override=None, reason="")
        for e in result.exercises
    )
    return dataclasses.replace(result, exercises=exercises)


def doubts(overrides: Sequence[Override], results: Sequence[SubmissionResult]) -> Iterator[str]:
    """A sentence for each override that another replaces, fits no student or exercise here, or gives too much."""
    known = {r.student: {e.name: e.max_points for e in r.exercises} for r in results}
    for (student, exercise), count in Counter((o.student, o.exercise) for o in overrides).items():
        if count > 1:
            names = f"{shortened(repr(student))} has {count} rows for {shortened(repr(exercise))}"
            yield f"overrides.csv: {names}, of which the last counts."
    for o in overrides:
        if o.student not in known:
            yield f"overrides.csv: there is no student {shortened(repr(o.student))}."
        elif o.exercise not in known[o.student]:
            yield f"overrides.csv: there is no exercise {shortened(repr(o.exercise))}."
        elif o.points > known[o.student][o.exercise]:
            given, most = decimals.points(o.points), decimals.points(known[o.student][o.exercise])
            yield f"overrides.csv: {o.student} gets {given} points of {most} for {o.exercise}."
