"""``extensions.csv``: until when single students may hand in. It stands beside ``overrides.csv``, not in the course,
since it names students and the reasons that they gave.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path

from autograder.course import CourseError
from autograder.deadline import Deadline, moment
from autograder.late import lateness
from autograder.rows import read_rows
from autograder.text import shortened

COLUMNS = ("student", "until", "reason")


@dataclass(frozen=True)
class Extension:
    """``until`` takes the place of ``due`` for one student; it has an offset."""

    student: str
    until: datetime
    reason: str


def read_extensions(path: Path, deadline: Deadline) -> list[Extension]:
    """The rows of ``path``; none when there is no such file.

    Raises:
        CourseError: as :func:`autograder.rows.read_rows`, or ``until`` is no time; the message names file and line of
            each.
    """
    return read_rows(path, COLUMNS, partial(_extension, deadline))


def _extension(deadline: Deadline, where: str, student: str, text: str, reason: str) -> Extension:
    try:
        until = _date_or_time(text)
    except ValueError:
        example = "a date and time such as 2027-04-26T23:59:00+02:00"
        raise CourseError(f"{where}: until is {shortened(repr(text))}, not {example}.") from None
    try:
        return Extension(student, moment(until, deadline.timezone), reason)
    except ValueError as error:
        raise CourseError(f"{where}: until is {error}.") from None


def _date_or_time(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return datetime.fromisoformat(text)


def doubts(extensions: Sequence[Extension], students: Collection[str], deadline: Deadline) -> Iterator[str]:
    """A sentence for each row that another replaces, that fits no student here, or that gives no more time."""
    for student, count in Counter(e.student for e in extensions).items():
        if count > 1:
            yield f"extensions.csv: {shortened(repr(student))} has {count} rows, of which the last counts."
    for e in extensions:
        if e.student not in students:
            yield f"extensions.csv: there is no student {shortened(repr(e.student))}."
        elif deadline.due is None:
            yield f"extensions.csv: {e.student} has an extension, and the assignment has no due."
        elif lateness(deadline.due, e.until) <= timedelta():
            until = f"{e.until:%Y-%m-%d %H:%M %Z}"
            yield f"extensions.csv: {e.student} has until {until}, which is not after due and gives no time."
