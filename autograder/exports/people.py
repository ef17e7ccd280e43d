"""Who was graded, and which row of a platform's export is theirs: by number, id, login or address, else by a name.

Whatever does not fit one row alone is listed for the teacher, with the reason, and nothing is guessed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from autograder.collect.entry import HandIn, Person, read_hand_in
from autograder.collect.roster import name_keys
from autograder.exports.columns import PLATFORMS, Columns
from autograder.exports.sheet import Row, Sheet
from autograder.results import SubmissionResult
from autograder.store import Graded, ResultsError, folder_of


@dataclass(frozen=True)
class Member:
    """One graded student; ``hand_in`` is None where it was graded before such facts were kept."""

    result: SubmissionResult
    hand_in: HandIn | None
    folder: Path

    @property
    def key(self) -> str:
        return self.result.student

    @property
    def person(self) -> Person:
        return self.hand_in.person if self.hand_in else Person()

    @property
    def name(self) -> str:
        """As the platform or the roster has it, else the key."""
        return self.person.name or self.key

    @property
    def shown(self) -> str:
        """The name, with the key where it is another."""
        return self.name if self.name == self.key else f"{self.name} ({self.key})"

    def own_number(self, platform: str) -> str:
        """The platform's number of somebody who handed in there alone; a group has one number for all its members."""
        if self.hand_in is None or self.hand_in.platform != platform:
            return ""
        group = len(self.hand_in.members) > 1 and platform != "gradescope"  # there it is the number of the submission
        return "" if group else PLATFORMS[platform].number_in(self.hand_in.source)


def members(out: Path, graded: Sequence[Graded]) -> list[Member]:
    """Everyone ``graded`` into ``out``.

    Raises:
        ResultsError: the facts of a hand-in are damaged.
    """
    found = []
    for result, _ in graded:
        folder = folder_of(out, result.student)
        try:
            found.append(Member(result, read_hand_in(folder), folder))
        except ValueError:
            raise ResultsError(f"Who {result.student} is cannot be read in {folder}: grade it again.") from None
    return found


@dataclass
class Matches:
    """``rows`` are the pairs that are certain; ``doubts`` are sentences on those that are not."""

    rows: list[tuple[Row, Member]] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    only_in_export: list[str] = field(default_factory=list)
    only_graded: list[str] = field(default_factory=list)


def match(sheet: Sheet, columns: Columns, graded: Sequence[Member], platform: str) -> Matches:
    """Whose row is whose."""
    found, index = Matches(), _Index(sheet, columns, platform)
    names = Counter(key for member in graded for key in name_keys(member.name))
    pairs: dict[int, list[Member]] = {}
    for member in graded:
        place, doubt = index.find(member, alone=all(names[key] == 1 for key in name_keys(member.name)))
        if doubt:
            found.doubts.append(f"{member.shown}: {doubt}.")
        if place is None:
            found.only_graded.append(member.shown)
        else:
            pairs.setdefault(place, []).append(member)
    taken = set()
    for place, several in pairs.items():
        if len(several) == 1:
            taken.add(place)
            found.rows.append((sheet.rows[place], several[0]))
        else:
            who = " and ".join(member.shown for member in several)
            found.doubts.append(f"{index.shown(place)}: {who} all fit this row.")
            found.only_graded += [member.shown for member in several]
    found.only_in_export = [index.shown(place) for place in index.students if place not in taken]
    return found


class _Index:
    """The rows of an export by what they say of somebody."""

    def __init__(self, sheet: Sheet, columns: Columns, platform: str) -> None:
        self.sheet, self.columns, self.platform = sheet, columns, platform
        self.students = [i for i, row in enumerate(sheet.rows) if i and columns.is_student(row)]
        self.told = {i: columns.told(sheet.rows[i]) for i in self.students}
        self.by_number: dict[str, set[int]] = {}
        self.by_text: dict[str, set[int]] = {}
        self.by_name: dict[str, set[int]] = {}
        for i in self.students:
            number = columns.own_number(sheet.rows[i])
            self.by_number.setdefault(number, set()).add(i)
            texts = set[str]().union(*self.told[i].values(), {number} if platform == "canvas" else ())
            for text in texts:
                self.by_text.setdefault(text, set()).add(i)
            for key in name_keys(columns.name(sheet.rows[i])):
                self.by_name.setdefault(key, set()).add(i)

    def shown(self, place: int) -> str:
        row = self.sheet.rows[place]
        marks = [text for texts in self.told[place].values() for text in sorted(texts)] or [row.cell(self.columns.own)]
        name = self.columns.name(row)
        return f"{name} ({marks[0]})" if name and marks[0] else name or marks[0]

    def find(self, member: Member, alone: bool) -> tuple[int | None, str]:
        """The row of a member, or none; and why not, where some row might have been.

        Args:
            alone: whether nobody else who was graded has the same name.
        """
        person = member.person
        number = member.own_number(self.platform)
        texts = [text.removeprefix("#").casefold() for text in (person.id, person.login, person.email, member.key)]
        for found in (self.by_number.get(number, set()) if number else set(), self._all(self.by_text, texts)):
            agreeing = {place for place in found if self._agree(person.name, place)}
            if len(agreeing) == 1:
                return agreeing.pop(), ""
            if agreeing:
                return None, f"the rows of {self._and(agreeing)} hold an id, login or address of this student"
            if found:
                return None, f"the row with this id is that of {self._and(found)}, which is another name"
        places = self._all(self.by_name, name_keys(member.name))
        if not places:
            return None, ""
        if len(places) > 1 or not alone:
            return None, "the name is not the only one of its kind, and no id, login or address fits"
        place = places.pop()
        kinds = {"id": person.id, "login": person.login, "email": person.email}
        other = [kind for kind, text in kinds.items() if text and self.told[place][kind]]
        if other:
            return None, f"the name fits the row of {self.shown(place)}, but not the {' or '.join(other)}"
        return place, ""

    def _agree(self, name: str, place: int) -> bool:
        """Whether two names can be one person's: one is unknown, or they share a word or are spelt alike."""
        other = self.columns.name(self.sheet.rows[place])
        return not (name and other) or bool(_marks(name) & _marks(other))

    def _and(self, places: Iterable[int]) -> str:
        return " and ".join(self.shown(place) for place in sorted(places))

    @staticmethod
    def _all(index: Mapping[str, set[int]], keys: Iterable[str]) -> set[int]:
        return set[int]().union(*(index.get(key, set()) for key in keys if key))


def _marks(name: str) -> set[str]:
    keys = name_keys(name)
    words = {word for key in keys for word in key.split()}
    return keys | words | {"".join(re.findall(r"\w", key)) for key in keys}
