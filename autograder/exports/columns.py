"""What the columns of a platform's export are: who a row is about, where the grade goes, how many points there are.

The columns that say who somebody is are known by the names that rosters have. Moodle translates its headers; there the
grade is the column before the maximum, which is the same number in each row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from autograder.collect.platforms import canvas, gradescope, moodle
from autograder.collect.roster import COLUMNS, IDS, is_student, plain_header
from autograder.exports.sheet import NUMBER, ExportError, Row, Sheet
from autograder.text import one_line

_ITEM: Mapping[str, re.Pattern[str]] = {
    "canvas": re.compile(r"(?P<title>.*)\s\((?P<number>\d+)\)"),
    "blackboard": re.compile(r"(?P<title>.*?)\s*(?:\[(?P<about>[^\[\]]*)\])?\s*\|\s*(?P<number>\d+)"),
    "brightspace": re.compile(r"(?P<title>.*?) Points Grade(?:\s*<(?P<about>.*)>)?"),
}
_MOST = re.compile(r"(?:Total Pts|MaxPoints):\s*(\d+(?:[.,]\d+)?)")


@dataclass(frozen=True)
class Platform:
    """``own`` is the header of the platform's own number, and ``number_in`` finds it in the name of a hand-in."""

    title: str
    own: str = ""
    number_in: Callable[[str], str] = lambda source: ""


PLATFORMS: Mapping[str, Platform] = {
    "canvas": Platform("Canvas gradebook", "id", canvas.number_in),
    "moodle": Platform("Moodle grading worksheet", "identifier", moodle.number_in),
    "gradescope": Platform("Gradescope grades", "submissionid", gradescope.number_in),
    "blackboard": Platform("Blackboard grade center"),
    "brightspace": Platform("Brightspace grades"),
    "plain": Platform("table"),
}


@dataclass(frozen=True)
class Columns:
    """Indices of columns; ``own`` is None where there is none. ``possible`` are the points, as they are written."""

    own: int | None
    ids: tuple[int, ...]
    logins: tuple[int, ...]
    emails: tuple[int, ...]
    names: tuple[int, ...]
    grade: int
    possible: str

    def name(self, row: Row) -> str:
        return one_line(" ".join(filter(None, (row.cell(column) for column in self.names))))

    def own_number(self, row: Row) -> str:
        """Of ``Participant 503121``, in whichever language, the number."""
        found = re.search(r"\d+$", row.cell(self.own))
        return found[0] if found else ""

    def told(self, row: Row) -> dict[str, set[str]]:
        """What a row says of somebody: kind → texts in small letters. Brightspace marks ids by a ``#`` before them."""
        kinds = {"id": self.ids, "login": self.logins, "email": self.emails}
        found = {kind: {row.cell(c).removeprefix("#").casefold() for c in columns} for kind, columns in kinds.items()}
        return {kind: texts - {""} for kind, texts in found.items()}

    def is_student(self, row: Row) -> bool:
        """Whether a row is about somebody, and not about points or nobody."""
        name = self.name(row)
        return is_student(name) and bool(name or row.cell(self.own) or any(self.told(row).values()))


def find_columns(sheet: Sheet, platform: str, titles: Sequence[str], column: str = "") -> Columns:
    """The columns of an export.

    Args:
        titles: what the assignment is called.
        column: the header of the grade, or its title or number there, if a teacher says it.

    Raises:
        ExportError: none or several can be the grade's, or no column says who a row is about.
    """
    header = [cell.strip() for cell in sheet.rows[0].cells]
    plain = [plain_header(cell) for cell in header]
    if "lastnamefirstname" in plain:
        plain[plain.index("lastnamefirstname")] = "name"
    own = plain.index(PLATFORMS[platform].own) if PLATFORMS[platform].own in plain else None
    if platform == "moodle":
        own = 0 if own is None else own

    def known(kinds: Sequence[str]) -> tuple[int, ...]:
        return tuple(index for index, name in enumerate(plain) if name in kinds and index != own)

    emails = known(COLUMNS["email"]) or tuple(i for i in range(len(header)) if i != own and _all_addresses(sheet, i))
    names = known(COLUMNS["name"])[:1] or (*known(COLUMNS["first"]), *known(COLUMNS["last"]))
    if platform == "moodle" and not names:  # a header in another language
        names = tuple(index for index in range(1, len(header)) if index not in emails and _all_names(sheet, index))[:1]
    ids, logins = known(IDS), known(COLUMNS["login"])
    if not (ids or logins or emails or names or own is not None):
        raise ExportError(f"No column of this {PLATFORMS[platform].title} says whom a row is about, such as an id.")
    who = {own, *ids, *logins, *emails, *names, *known([*COLUMNS["section"], *COLUMNS["group"], *COLUMNS["role"]])}
    open_ = [index for index in range(len(header)) if index not in who]
    items = {index: _item(platform, header[index]) for index in open_}
    grade = _chosen(header, items, column) if column else _grade(sheet, platform, header, items, titles)
    return Columns(own, ids, logins, emails, names, grade, _possible(sheet, platform, header, grade))


def _item(platform: str, header: str) -> tuple[str, str]:
    """The title and the number of an item that can be graded; empty where the platform has no number, or no item."""
    if platform not in _ITEM:
        return header, ""
    found = _ITEM[platform].fullmatch(header)
    return (found["title"].strip(), found.groupdict().get("number") or "") if found else ("", "")


def _chosen(header: Sequence[str], items: Mapping[int, tuple[str, str]], column: str) -> int:
    wanted = one_line(column).casefold()
    exact = [index for index in items if header[index].casefold() == wanted]
    found = exact or [index for index, item in items.items() if wanted in (item[0].casefold(), item[1])]
    if len(found) == 1:
        return found[0]
    there = ", ".join(repr(header[index]) for index in found or items)
    raise ExportError(
        f"--column {column!r} fits {'several columns' if found else 'no column of grades'}; there are {there}."
    )


def _grade(
    sheet: Sheet, platform: str, header: Sequence[str], items: Mapping[int, tuple[str, str]], titles: Sequence[str]
) -> int:
    wanted = [one_line(title).casefold() for title in titles]
    if platform == "moodle":
        exact = [index for index in items if header[index] == "Grade"] or _before_maximum(sheet, items)
    elif platform == "gradescope":
        exact = [index for index in items if header[index] == "Total Score"]
    else:
        exact = []
    exact = exact or [index for index, (title, _) in items.items() if title.casefold() in wanted]
    words = re.compile("|".join(rf"\b{re.escape(title)}\b" for title in wanted))
    found = exact or [index for index, (title, _) in items.items() if words.search(title.casefold())]
    if len(found) == 1:
        return found[0]
    listed = ", ".join(repr(header[index]) for index in (found or [i for i, item in items.items() if item[0]]))
    what = "Several columns could be" if found else "No column is known to be"
    raise ExportError(f"{what} the grade of {titles[0]}: choose one with --column, of {listed or 'none'}.")


def _before_maximum(sheet: Sheet, items: Mapping[int, tuple[str, str]]) -> list[int]:
    found = []
    for index in items:
        values = {row.cell(index) for row in sheet.rows[1:] if len(row.raw) > 1}
        if index + 1 in items and all(value in ("", "-") or NUMBER.fullmatch(value) for value in values):
            found += [index] if _constant(sheet, index + 1) else []
    return found


def _constant(sheet: Sheet, column: int) -> str:
    """The number that stands in each row of a column; empty where they differ."""
    values = {row.cell(column) for row in sheet.rows[1:] if len(row.raw) > 1}
    return value if len(values) == 1 and NUMBER.fullmatch(value := values.pop()) else ""


def _possible(sheet: Sheet, platform: str, header: Sequence[str], grade: int) -> str:
    if platform == "canvas":
        rows = [row for row in sheet.rows[1:4] if row.cell(0).casefold().startswith("points possible")]
        return rows[0].cell(grade) if rows else ""
    if platform == "moodle":
        return _constant(sheet, grade + 1) if grade + 1 < len(header) else ""
    if platform == "gradescope":
        for name in ("Max Points", f"{header[grade]} - Max Points"):
            if name in header and (header[grade] == "Total Score") == (name == "Max Points"):
                return _constant(sheet, header.index(name))
        return ""
    found = _MOST.search(header[grade])
    return found[1] if found else ""


def _all_names(sheet: Sheet, column: int) -> bool:
    """Whether a column holds words that are others in most rows, as names are, and states and dates are not."""
    values = [row.cell(column) for row in sheet.rows[1:]]
    words = all(value and not re.search(r"[\d@<>]", value) for value in values)
    return words and 2 * len(set(values)) > len(values)


def _all_addresses(sheet: Sheet, column: int) -> bool:
    values = {row.cell(column) for row in sheet.rows[1:]} - {""}
    return bool(values) and all(re.fullmatch(r"[^@\s]+@[^@\s]+", value) for value in values)
