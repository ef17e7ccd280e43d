"""The class list: a CSV of any platform, whose columns are known by their usual names.

Gradescope's, Canvas's gradebook, Moodle's worksheet, GitHub Classroom's and Classroom 50's are read as they are.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from autograder.collect.download import MAX_METADATA, CollectError, decoded
from autograder.collect.entry import Person
from autograder.text import composed, one_line, shortened

# What each field is called, in letters and digits alone; of several columns the first here wins.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "id": (
        *("studentid", "sid", "sisuserid", "idnumber", "studentnumber", "orgdefinedid", "matriculationnumber"),
        *("matrikelnummer", "id", "identifier", "rosteridentifier", "displayid"),
    ),
    "name": ("name", "fullname", "student", "studentname"),
    "first": ("firstname", "givenname"),
    "last": ("lastname", "surname", "familyname"),
    "email": ("email", "emailaddress", "mail"),
    "login": ("username", "login", "loginid", "sisloginid", "githubusername", "eid", "netid", "user"),
    "section": ("section", "sections", "class", "tutorial"),
    "group": ("group", "groupname", "team", "teamname"),
    "role": ("role",),
}
IDS = (*COLUMNS["id"], "integrationid", "githubid")


@dataclass(frozen=True)
class Row:
    """A person, with every id that the row holds, and the group if it names one."""

    person: Person
    ids: frozenset[str]
    group: str = ""


@dataclass(frozen=True)
class Roster:
    """Who is in the class. Ids, logins and addresses are told apart without regard to case."""

    rows: tuple[Row, ...]
    by_id: Mapping[str, list[Row]] = field(default_factory=dict)
    by_name: Mapping[str, list[Row]] = field(default_factory=dict)
    by_group: Mapping[str, list[Row]] = field(default_factory=dict)

    def logins(self) -> frozenset[str]:
        """User names and names of groups, as repositories may end in them."""
        names = [name for row in self.rows for name in (row.person.login, row.group)]
        return frozenset(name.casefold() for name in names if name)

    def find(self, person: Person, label: str) -> Row | None:
        """The row of someone whom a platform knows as ``person``, or calls ``label``; None if none or several fit.

        Raises:
            CollectError: what the platform says of him fits two rows.
        """
        told = [text for text in (person.id, person.login, person.email) if text]
        found = _unique(row for text in told for row in self.by_id.get(text.casefold(), ()))
        if len(found) > 1:
            names = " and ".join(row.person.name or row.person.id for row in found)
            raise CollectError(f"{' '.join(told)} of the download is {names} on the roster: mend the roster.")
        if not found:
            found = _unique(row for text in (label,) for row in self.by_id.get(text.casefold(), ()))
        for text in (person.name, label):
            if not found and text:
                found = _unique(row for key in name_keys(text) for row in self.by_name.get(key, ()))
                if person.section and len(found) > 1:
                    found = [row for row in found if row.person.section == person.section]
        return found[0] if len(found) == 1 else None


def _unique(rows: Iterable[Row]) -> list[Row]:
    return list({id(row): row for row in rows}.values())


def name_keys(name: str) -> set[str]:
    """A name without regard to order, case and signs, and as Canvas squeezes ``Last, First``."""
    plain = composed(name).casefold()
    words = re.findall(r"\w+", plain)
    if not words:
        return set()
    last, comma, first = plain.partition(",")
    sorted_name = f"{last}{first}" if comma else f"{words[-1]}{''.join(words[:-1])}"
    return {" ".join(sorted(words)), "".join(re.findall(r"\w", sorted_name))}


def plain_header(cell: str) -> str:
    """A header in the letters and digits of :data:`COLUMNS`."""
    return re.sub(r"[^a-z0-9]", "", cell.casefold())


def is_student(name: str) -> bool:
    """Whether a row of this name is a student's; Canvas has others, of points and of a student for tests."""
    return not name.strip().casefold().startswith(("points possible", "student, test", "manual posting"))


def read_roster(path: Path) -> Roster:
    """The people in ``path``; staff, test students and rows of points are left out.

    Raises:
        CollectError: it cannot be read, has no column that says who, or holds people twice, each of whom has a line in
            the message.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_METADATA + 1)
    except OSError as error:
        raise CollectError(f"{path} cannot be read: {error.strerror}.") from None
    if len(data) > MAX_METADATA:
        raise CollectError(f"{path} is larger than {MAX_METADATA // 10**6} MB, and no roster.")
    text = decoded(data)
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    try:
        table = [row for row in csv.reader(text.splitlines(), delimiter=delimiter) if any(map(str.strip, row))]
    except csv.Error as error:
        raise CollectError(f"{path} is no table in CSV: {error}.") from None
    if not table:
        raise CollectError(f"{path} is empty: a roster has a line of headers and one for each student.")
    header = [plain_header(cell) for cell in table[0]]
    if "lastnamefirstname" in header:
        header[header.index("lastnamefirstname")] = "name"
    columns = {name: header.index(used) for name, known in COLUMNS.items() if (used := _first(known, header))}
    if not {"id", "name", "last", "email", "login"} & set(columns):
        given = shortened(one_line(", ".join(table[0])), 80)
        raise CollectError(f"{path} has no column such as id, name, email or username; its first line is {given}.")
    also = [index for index, name in enumerate(header) if name in IDS]
    rows = tuple(row for cells in table[1:] if (row := _row(cells, columns, also)))
    if not rows:
        raise CollectError(f"{path} names nobody.")
    return _indexed(rows, path)


def _first(known: Iterable[str], header: list[str]) -> str:
    return next((name for name in known if name in header), "")


def _row(cells: list[str], columns: Mapping[str, int], also: list[int]) -> Row | None:
    def cell(name: str) -> str:
        index = columns.get(name, len(cells))
        return composed(one_line(cells[index])) if index < len(cells) else ""

    if cell("role") and "student" not in cell("role").casefold():
        return None
    name = cell("name") or " ".join(filter(None, (cell("first"), cell("last"))))
    if not is_student(name):
        return None
    person = Person(cell("id"), name, cell("login"), cell("email"), cell("section"))
    ids = {one_line(cells[index]) for index in also if index < len(cells)}
    told = {text.casefold() for text in (*ids, person.login, person.email) if text}
    return Row(person, frozenset(told), cell("group")) if told or name else None


def _indexed(rows: tuple[Row, ...], path: Path) -> Roster:
    by_id: dict[str, list[Row]] = {}
    by_name: dict[str, list[Row]] = {}
    by_group: dict[str, list[Row]] = {}
    for row in rows:
        for text in row.ids:
            by_id.setdefault(text, []).append(row)
        for key in name_keys(row.person.name):
            by_name.setdefault(key, []).append(row)
        if row.group:
            by_group.setdefault(row.group.casefold(), []).append(row)
    twice = dict[str, None]()
    for row in rows:
        for text in filter(None, (row.person.id, row.person.login, row.person.email)):
            if len(by_id.get(text.casefold(), ())) > 1:
                twice[f"{path} holds {text} in two rows: leave one."] = None
        if not row.ids and len(_unique(r for key in name_keys(row.person.name) for r in by_name[key])) > 1:
            twice[f"{path} holds {row.person.name} twice, and no id that tells them apart."] = None
    if twice:
        raise CollectError(*twice)
    return Roster(rows, by_id, by_name, by_group)
