"""The class as a spreadsheet: ``grades.csv``."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

from autograder.report.summary import ClassSummary
from autograder.results import SubmissionResult
from autograder.text import printable

LATE = ("raw_score", "late_submission_penalty", "late_days")

_SEPARATOR = re.compile(r"([;|\t\r\n])")
_FORMULA = re.compile(r'[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20]')


def grades_csv(results: Sequence[SubmissionResult]) -> str:
    """One row a student: name, score, maximum, the points of each exercise, the score before the late rules, what they
    take (both named as in nbgrader) and the free days that were spent, ``graded`` or ``not graded``, notes.

    A submission that was not graded has blank cells instead of numbers and its reason as note. Every text is quoted
    and none is a formula to a spreadsheet program, whichever separator it splits at.
    """
    names = [exercise.name for exercise in ClassSummary(tuple(results)).exercises]
    file = io.StringIO()
    writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow([_text(head) for head in ("student", "score", "max_score", *names, *LATE, "status", "notes")])
    for result in results:
        earned = {exercise.name: exercise.points for exercise in result.exercises}
        if result.infrastructure:
            numbers: list[float | str] = [""] * (2 + len(names) + len(LATE))
            status, notes = "not graded", (result.infrastructure, *result.notes)
        else:
            numbers = [result.score, result.max_score, *(earned.get(name, "") for name in names)]
            numbers += [result.raw_score, result.points_off, result.late.days if result.late else 0]
            status, notes = "graded", result.remarks
        writer.writerow([_text(result.student), *numbers, status, _text(" ".join(notes))])
    return file.getvalue()


def _text(value: str) -> str:
    """``value`` with an apostrophe before whatever a spreadsheet program would take for a formula.

    One that splits at semicolons, tabs or bars reads on in the middle of a quoted cell, where a quote opens a new one.
    """
    pieces = _SEPARATOR.split(printable(value, keep="\t\r\n"))
    text = "".join(f"'{piece}" if _FORMULA.match(piece) else piece for piece in pieces)
    return f"'{text}" if text.startswith(("\t", "\r", "\n")) else text
