"""What ``collect`` prints: whom ``grade`` would grade, and what each handed in."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.collect.students import Student
from autograder.report.terminal import display_width
from autograder.text import one_line, printable, shortened

HEAD = ("key", "name", "section", "attempt", "handed in", "late", "files")
LONGEST = 40  # characters of a cell


def collected_text(students: Sequence[Student]) -> str:
    """A table, one row a student. Files are counted where they have to be put together, else the place is given."""
    rows = [HEAD, *(_row(student) for student in students)]
    widths = [max(display_width(row[column]) for row in rows) for column in range(len(HEAD))]
    lines = []
    for row in rows:
        cells = (cell + " " * (width - display_width(cell)) for cell, width in zip(row, widths, strict=True))
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _row(student: Student) -> tuple[str, ...]:
    one, of = student.attempt, len(student.attempts)
    cells = [student.key, student.person.name, student.person.section]
    if one is None:
        cells += ["", "", "", "nothing"]
    else:
        number = str(one.number or "") + (f" of {of}" if of > 1 else "")
        when = one.when.isoformat(" ", "minutes") if one.when else ""
        files = one.path.name if one.path else ", ".join(one.files) or "nothing"
        cells += [number.strip(), when, {True: "late", False: "no", None: ""}[one.late], files]
    return tuple(shortened(printable(one_line(cell), keep=""), LONGEST) for cell in cells)
