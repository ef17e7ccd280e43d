"""The class as a spreadsheet: ``grades.csv``."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from autograder.collect.entry import Person
from autograder.report.cells import id_cell, text_cell
from autograder.report.summary import ClassSummary
from autograder.results import SubmissionResult

LATE = ("raw_score", "late_submission_penalty", "late_days")
KNOWN: Mapping[str, Callable[[str], str]] = {"name": text_cell, "email": text_cell, "section": id_cell}


def grades_csv(results: Sequence[SubmissionResult], people: Mapping[str, Person] = MappingProxyType({})) -> str:
    """One row a student: name, score, maximum, the points of each exercise, the score before the late rules, what they
    take (both named as in nbgrader) and the free days that were spent, ``graded`` or ``not graded``, notes; then name,
    email and section, each where roster or platform say it of anybody.

    A submission that was not graded has blank cells instead of numbers and its reason as note. Every text is quoted
    and none is a formula to a spreadsheet program, whichever separator it splits at.

    Args:
        people: student → what is known of the person; students may be missing.
    """
    known = {name: cell for name, cell in KNOWN.items() if any(getattr(person, name) for person in people.values())}
    names = [exercise.name for exercise in ClassSummary(tuple(results)).exercises]
    file = io.StringIO()
    writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow(
        [text_cell(head) for head in ("student", "score", "max_score", *names, *LATE, "status", "notes", *known)]
    )
    for result in results:
        earned = {exercise.name: exercise.points for exercise in result.exercises}
        if result.infrastructure:
            numbers: list[float | str] = [""] * (2 + len(names) + len(LATE))
            status, notes = "not graded", (result.infrastructure, *result.notes)
        else:
            numbers = [result.score, result.max_score, *(earned.get(name, "") for name in names)]
            numbers += [result.raw_score, result.points_off, result.late.days if result.late else 0]
            status, notes = "graded", result.remarks
        person = people.get(result.student, Person())
        told = [cell(getattr(person, name)) for name, cell in known.items()]
        writer.writerow([text_cell(result.student), *numbers, status, text_cell(" ".join(notes)), *told])
    return file.getvalue()
