"""Hand-ins that are the same but for names and layout: listed for staff, who alone can say what it means."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autograder.collect.entry import HandIn
from autograder.report.cells import text_cell
from autograder.results import RunRecord

COLUMNS = ("group", "part", "student")


@dataclass(frozen=True)
class Same:
    """Students whose ``part`` is the same but for names and layout."""

    part: str
    students: tuple[str, ...]


def similar(records: Mapping[str, RunRecord], hand_ins: Mapping[str, HandIn]) -> list[Same]:
    """Every group of at least two, the largest first; those who handed in together count as one.

    Args:
        records: student → fingerprints of each part.
        hand_ins: student → the facts; students may be missing.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for student in sorted(records):
        for part, mark in records[student].fingerprints.items():
            groups.setdefault((part, mark), []).append(student)
    found = [
        Same(part, tuple(students))
        for (part, _), students in groups.items()
        if len({_source(student, hand_ins) for student in students}) > 1
    ]
    return sorted(found, key=lambda same: (-len(same.students), same.part, same.students))


def similar_text(found: Sequence[Same]) -> str:
    """How many there are."""
    students = {student for same in found for student in same.students}
    groups = f"{len(found)} group{'s' if len(found) > 1 else ''}"
    return f"The same but for names and layout: {groups} of {len(students)} students"


def similar_csv(found: Sequence[Same]) -> str:
    """A row a student and part."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for number, same in enumerate(found, 1):
        writer.writerows([number, same.part, text_cell(student)] for student in same.students)
    return file.getvalue()


def _source(student: str, hand_ins: Mapping[str, HandIn]) -> tuple[str, str]:
    """What tells hand-ins apart: where a group's came from, else the student."""
    one = hand_ins.get(student)
    return ("group", one.source) if one and len(one.members) > 1 else ("student", student)
