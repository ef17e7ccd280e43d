"""Points into a copy of a platform's export: only the cells of grades that change, and the rest byte for byte."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

from autograder.decimals import exact, points
from autograder.exports.columns import PLATFORMS, find_columns
from autograder.exports.people import Member, match
from autograder.exports.sheet import NUMBER, ExportError, read_sheet

EMPTY = ("", "-")
PLACES = Decimal("0.01")  # of points that were scaled


@dataclass(frozen=True)
class Filled:
    """The copy, how many of its rows have changed, and what its teacher is told."""

    content: bytes
    column: str
    changed: int
    unchanged: int
    sentences: tuple[str, ...]


def fill(
    path: Path, platform: str, graded: Sequence[Member], titles: Sequence[str], column: str = "", scale: bool = False
) -> Filled:
    """The export at ``path`` with the points of everyone ``graded`` who is certain to be in it.

    Args:
        platform: one of :data:`autograder.exports.columns.PLATFORMS`.
        titles: what the assignment is called.
        column: the header of the grade, if a teacher says it.
        scale: whether points become shares of the points that the platform has, where these are others.

    Raises:
        ExportError: it cannot be read, the column cannot be told, or the platform's points are others.
    """
    sheet = read_sheet(path)
    columns = find_columns(sheet, platform, titles, column)
    mark = sheet.decimal_mark([columns.grade, columns.grade + 1] if platform == "moodle" else [columns.grade])
    possible = _number(columns.possible) if NUMBER.fullmatch(columns.possible) else None
    most = max((exact(member.result.max_score) for member in graded), default=Decimal())
    if possible is not None and most and possible != most and not scale:
        raise ExportError(
            f"There the assignment has {columns.possible} points, and here {points(float(most))}: "
            "change it there and export again, or give --scale for shares of those points."
        )
    factor = possible / most if scale and possible is not None and most else Decimal(1)
    found = match(sheet, columns, graded, platform)
    changed, kept, above, not_graded = 0, list[str](), list[str](), list[str]()
    for row, member in found.rows:
        if member.result.infrastructure:
            not_graded.append(member.shown)
            continue
        old, score = row.cell(columns.grade), exact(member.result.score)
        new = score if factor == 1 else (score * factor).quantize(PLACES, ROUND_HALF_UP)
        if old not in EMPTY and not NUMBER.fullmatch(old):
            kept.append(f"{member.shown} ({old})")
            continue
        if possible is not None and new > possible:
            above.append(member.shown)
        if old in EMPTY or _number(old) != new:
            sheet.replace(row, columns.grade, points(float(new)).replace(".", mark))
            changed += 1
    lists = (
        ("In the export but not graded", found.only_in_export),
        ("Graded but not in the export", found.only_graded),
        ("Not graded, and left as it was", not_graded),
        ("No number stood there, and was left", kept),
        (f"Above the {columns.possible} points of the platform, {_ABOVE.get(platform, 'which it may refuse')}", above),
    )
    listed = [f"{what}: {'; '.join(names)}." for what, names in lists if names]
    return Filled(
        sheet.to_bytes(),
        sheet.rows[0].cell(columns.grade),
        changed,
        len(found.rows) - changed - len(kept) - len(not_graded),
        (*listed, *(f"Not told apart: {doubt}" for doubt in found.doubts)),
    )


def summary(filled: Filled, platform: str) -> str:
    """One sentence on what was written."""
    rows = f"{filled.changed} changed, {filled.unchanged} as before"
    return f"{PLATFORMS[platform].title}, column {filled.column!r}: {rows}."


def _number(text: str) -> Decimal:
    return Decimal(text.rstrip("%").replace(",", "."))


_ABOVE = {"moodle": "which skips such rows", "brightspace": "which lowers them", "canvas": "which takes them"}
