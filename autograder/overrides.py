"""``overrides.csv``: points that a teacher sets by hand. They stand beside the results and survive every regrade.

A row is for one exercise of one student; for all of a student's work, where the exercise is ``*``; or for everyone in
an answer group, where ``group:convolve:1f2e3d4c`` stands in the student's place. A row for a student outranks one for
the group. No row gives more points than there are.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder import decimals
from autograder.answer_groups import PREFIX, AnswerGroup
from autograder.course import CourseError
from autograder.results import SubmissionResult
from autograder.rows import read_rows
from autograder.text import shortened

COLUMNS = ("student", "exercise", "points", "reason")
WHOLE = "*"  # in an exercise's place


@dataclass(frozen=True)
class Override:
    """``points`` for one exercise of one student, or of a group, whatever the criteria earned."""

    student: str
    exercise: str
    points: float
    reason: str

    @property
    def of_group(self) -> bool:
        return self.student.startswith(PREFIX)


def read_overrides(path: Path) -> list[Override]:
    """The rows of ``path``; none when there is no such file.

    Raises:
        CourseError: it is no CSV, a column is missing, a row has too many fields, points are not a number, or a row for
            a group or for all of a student's work lacks its reason; the message names file and line of each.
    """
    return read_rows(path, COLUMNS, _override)


def _override(where: str, student: str, exercise: str, text: str, reason: str) -> Override:
    if not text:
        raise CourseError(f"{where} has no points.")
    try:
        found = Override(student, exercise, decimals.number(text), reason)
    except ValueError as error:
        raise CourseError(f"{where}: {shortened(str(error))}.") from None
    if found.of_group and student.removeprefix(PREFIX).rpartition(":")[0] != exercise:
        raise CourseError(f"{where}: {shortened(student)} is a group of another exercise than {shortened(exercise)!r}.")
    if not reason and (found.of_group or exercise == WHOLE):
        raise CourseError(f"{where} has no reason, which a group or a whole submission needs.")
    return found


def of_students(overrides: Sequence[Override], groups: Sequence[AnswerGroup]) -> dict[str, dict[str, Override]]:
    """Student → exercise → the override that counts: the last of several, and a student's own before a group's."""
    found: dict[str, dict[str, Override]] = {}
    for o in sorted(overrides, key=lambda o: not o.of_group):
        for student in _whom(o, groups):
            found.setdefault(student, {})[o.exercise] = o
    return found


def apply_overrides(result: SubmissionResult, own: Mapping[str, Override]) -> SubmissionResult:
    """``result`` with exactly a student's ``own`` overrides, by exercise, none of which gives more than there is."""
    if result.infrastructure:
        return result
    exercises = tuple(
        dataclasses.replace(e, override=min(own[e.name].points, e.max_points), reason=own[e.name].reason)
        if e.name in own
        else dataclasses.replace(e, override=None, reason="")
        for e in result.exercises
    )
    whole = own.get(WHOLE)
    points, reason = (min(whole.points, result.most), whole.reason) if whole else (None, "")
    return dataclasses.replace(result, exercises=exercises, override=points, reason=reason)


def doubts(
    overrides: Sequence[Override], results: Sequence[SubmissionResult], groups: Sequence[AnswerGroup] = ()
) -> Iterator[str]:
    """A sentence for each override that another replaces, fits nobody or no exercise here, or gives too much."""
    known = {r.student: {**{e.name: e.max_points for e in r.exercises}, WHOLE: r.most} for r in results}
    for (student, exercise), count in Counter((o.student, o.exercise) for o in overrides).items():
        if count > 1:
            names = f"{shortened(repr(student))} has {count} rows for {shortened(repr(exercise))}"
            yield f"overrides.csv: {names}, of which the last counts."
    for o in overrides:
        matched = [group for group in groups if o.of_group and group.matches(o.student)]
        whom = [student for student in _whom(o, groups) if student in known]
        if len(matched) > 1:
            yield f"overrides.csv: {shortened(repr(o.student))} fits {len(matched)} groups, and counts for all of them."
        if not whom:
            yield f"overrides.csv: there is no {'group' if o.of_group else 'student'} {shortened(repr(o.student))}."
        elif o.exercise not in known[whom[0]]:
            yield f"overrides.csv: there is no exercise {shortened(repr(o.exercise))}."
        elif o.points > known[whom[0]][o.exercise]:
            given, most = decimals.points(o.points), decimals.points(known[whom[0]][o.exercise])
            what = "the whole submission" if o.exercise == WHOLE else o.exercise
            yield f"overrides.csv: {o.student} gets {given} points of {most} for {what}: {most} count."


def _whom(o: Override, groups: Sequence[AnswerGroup]) -> list[str]:
    if not o.of_group:
        return [o.student]
    return [student for group in groups if group.matches(o.student) for student in group.students]
