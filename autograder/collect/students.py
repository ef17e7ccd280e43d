"""Who handed in what: the entries of all downloads, mapped to people, each under one key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from pathlib import Path

from autograder.collect.download import CollectError
from autograder.collect.entry import HandIn, Person
from autograder.collect.found import Asked, Attempt, Entry
from autograder.collect.platforms import PLATFORMS
from autograder.collect.recognise import Class, classes
from autograder.collect.roster import Roster
from autograder.text import composed, one_line, printable, shortened

NAMED = 8  # people named in one sentence
UNZONED = ("blackboard", "brightspace")  # whose times say no zone
Choose = Callable[[str, Sequence[Attempt]], Attempt]


def latest(key: str, attempts: Sequence[Attempt]) -> Attempt:
    """The attempt that counts where nobody says otherwise."""
    return attempts[-1]


@dataclass(frozen=True)
class Student:
    """One row of the class. ``attempt`` is the one that counts, of all ``attempts``; None if nothing was handed in.

    Those who handed in together have the same attempt; ``mates`` are the others.
    """

    key: str
    platform: str
    person: Person
    mates: tuple[Person, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    attempt: Attempt | None = None

    def hand_in(self, sha256: str = "") -> HandIn:
        """The facts to keep."""
        facts = HandIn(self.platform, self.key, (self.person, *self.mates), sha256=sha256)
        if not self.attempt:
            return facts
        one = self.attempt
        return replace(facts, attempt=one.number, handed_in=one.when, late=one.late, source=one.source)


@dataclass(frozen=True)
class Collected:
    """The class, by key, and what its teacher is told."""

    students: tuple[Student, ...]
    sentences: tuple[str, ...]

    def groups(self) -> list[list[Student]]:
        """The students, those together who handed in together."""
        groups: dict[int, list[Student]] = {}
        for student in self.students:
            groups.setdefault(id(student.attempt or student), []).append(student)
        return list(groups.values())


@dataclass(frozen=True)
class _Row:
    entry: Entry
    platform: str
    place: Path
    person: Person
    mates: tuple[Person, ...]
    listed: Person | None  # as the roster knows him


def collect(
    paths: Sequence[Path],
    graded: Mapping[str, Sequence[str]],
    *,
    assignment: str = "",
    roster: Roster | None = None,
    platform: str = "",
    zone: tzinfo | None = None,
    earlier: Iterable[HandIn] = (),
    choose: Choose = latest,
    rule: str = "latest",
) -> Collected:
    """Everybody at ``paths``, and everybody on the ``roster`` who handed in nothing.

    Args:
        paths: downloads, folders and files.
        graded: part → its graded names.
        assignment: its full name, for downloads of several assignments.
        platform: what the paths are, if it is said; one of :data:`recognise.CHOICES`.
        zone: of the platform's times that say none.
        earlier: what was graded before: the same source keeps its key.
        choose: which of several attempts of a student counts, by key; they come in the order in which they were made.
        rule: which one that is, in words.

    Raises:
        SubmissionPathError: a path does not exist or cannot be read.
        CollectError: what they are, or who somebody is, cannot be told without guessing.
    """
    before = {(one.platform, one.source): one.key for one in earlier if one.source}
    known = {source for kind, source in before if kind == "plain"}
    asked = Asked(graded, assignment, zone, roster.logins() if roster else frozenset())
    found = classes(paths, asked, platform, known)
    rows = [row for one in found for row in _rows(one, roster, sections=sum(c.is_class for c in found) > 1)]
    _check_once(rows)
    keys = _keys(rows, before)
    students = []
    for key, row in zip(keys, rows, strict=True):
        attempts = row.entry.attempts
        one = choose(key, attempts) if attempts else None
        students.append(Student(key, row.platform, row.person, row.mates, attempts, one))
    sentences = [*_recognised(found, zone, rule), *(remark for one in found for remark in one.found.remarks)]
    if roster:
        present = {row.listed for row in rows}
        absent = [row.person for row in roster.rows if row.person not in present]
        if rows and not any(row.listed for row in rows):
            raise CollectError("Nobody of the roster is among those who handed in: is it that of another class?")
        taken = {student.key.casefold() for student in students}
        for person in absent:
            key = _key_of(person, person.name)
            if key.casefold() in taken:
                raise CollectError(f"{key} handed in, but is somebody else on the roster: mend the roster.")
            students.append(Student(key, "roster", person))
        sentences += _of_roster(rows, absent)
    return Collected(tuple(sorted(students, key=lambda student: student.key)), tuple(sentences))


def _rows(one: Class, roster: Roster | None, sections: bool) -> list[_Row]:
    """A row for each person: those of one group share the entry."""
    section = printable(one.place.name, keep="") if sections and one.is_class else ""
    rows = []
    for entry in one.found.entries:
        members = [replace(m, section=m.section or section) for m in entry.members or (Person(name=entry.label),)]
        group = roster.by_group.get(entry.label.casefold()) if roster else None
        if group and len(members) == 1:
            members = [row.person for row in group]
        matches = [roster.find(m, "" if len(members) > 1 else entry.label) if roster else None for m in members]
        people = [_merged(match.person, m) if match else m for match, m in zip(matches, members, strict=True)]
        for index, person in enumerate(people):
            mates = tuple(people[:index] + people[index + 1 :])
            match = matches[index]
            rows.append(_Row(entry, one.platform, one.place, person, mates, match.person if match else None))
    return rows


def _merged(listed: Person, told: Person) -> Person:
    """A person as the roster has him, with what only the platform says; its ids are its own, and not the roster's."""
    return Person(
        listed.id,
        listed.name or told.name,
        listed.login or told.login,
        listed.email or told.email,
        listed.section or told.section,
    )


def _check_once(rows: Sequence[_Row]) -> None:
    """Raise where one person is two rows.

    Raises:
        CollectError: somebody whom the roster or an id of the platform names is in two entries.
    """
    first: dict[tuple[str, str], _Row] = {}
    for row in rows:
        who = row.person
        marks = [("roster", repr(row.listed))] if row.listed else []
        marks = marks or [(row.platform, text) for text in (who.id, who.login) if text]
        for mark in marks:
            other = first.setdefault(mark, row)
            if other is not row:
                name = _key_of(who, row.entry.label)
                both = " and in ".join(_source(one) for one in (other, row))
                raise CollectError(f"{name} is in {both}, and nothing says which counts: leave one of them.")


def _source(row: _Row) -> str:
    attempts = row.entry.attempts
    return shortened(printable(attempts[-1].source if attempts else row.entry.label), 80)


def _key_of(person: Person, label: str) -> str:
    """The roster's id, else the platform's login or id, else the name: as it may stand in a table and name a folder."""
    key = person.id or person.login or label or person.email or person.name
    return composed(printable(one_line(key), keep="")).strip(" .") or "unnamed"


def _keys(rows: Sequence[_Row], before: Mapping[tuple[str, str], str]) -> list[str]:
    """A key each; those that would be equal, in any case, tell themselves apart by section, number or count."""
    plain = [_key_of(row.person, "" if row.listed else row.entry.label) for row in rows]
    for marks in ([row.person.section for row in rows], [row.entry.apart for row in rows]):
        uses = Counter(key.casefold() for key in plain)
        plain = [
            f"{key} ({composed(mark)})" if uses[key.casefold()] > 1 and mark and not row.listed else key
            for key, mark, row in zip(plain, marks, rows, strict=True)
        ]
    kept = [_before(row, before) for row in rows]
    taken: set[str] = {key.casefold() for key in kept if key}
    keys = []
    for own, key in zip(kept, plain, strict=True):
        unique, count = own or key, 1
        while not own and unique.casefold() in taken:
            count += 1
            unique = f"{key} ({count})"
        taken.add(unique.casefold())
        keys.append(unique)
    return keys


def _before(row: _Row, before: Mapping[tuple[str, str], str]) -> str:
    """The key under which the same source of one person was graded before; a roster's id comes first."""
    if row.listed or row.mates or not row.entry.attempts:
        return ""
    return before.get((row.platform, row.entry.attempts[-1].source), "")


def _recognised(found: Sequence[Class], zone: tzinfo | None, rule: str) -> Iterator[str]:
    """A sentence for each class: what it is taken for, and how many handed in."""
    for one in found:
        entries = one.found.entries
        if not one.is_class:
            continue
        people = sum(max(1, len(entry.members)) for entry in entries)
        late = sum(any(attempt.late for attempt in entry.attempts[-1:]) for entry in entries)
        without = sum(not entry.attempts for entry in entries)
        several = sum(len(entry.attempts) > 1 for entry in entries)
        groups = sum(len(entry.members) > 1 or entry.several for entry in entries)
        parts = [_count(people, "student"), *([f"{groups} in groups"] if groups else ())]
        parts += [f"{late} late"] if late else []
        parts += [f"{without} handed in nothing"] if without else []
        parts += [f"{several} with several attempts; {rule} taken"] if several else []
        yield f"{PLATFORMS[one.platform].title}: {', '.join(parts)}."
        if stray := [name for name in one.found.stray if not name.startswith(".")]:
            yield f"Passed over in {one.place}: {_names(stray)}."
        if one.platform in UNZONED:
            said = f"are read as {zone}" if zone else "say no zone and are not used: --timezone says it"
            yield f"The times of this {PLATFORMS[one.platform].title} {said}."


def _of_roster(rows: Sequence[_Row], absent: Sequence[Person]) -> Iterator[str]:
    if absent:
        names = _names([person.name or _key_of(person, "") for person in absent])
        yield f"Nothing was handed in by {len(absent)} on the roster: {names}."
    if strangers := [row for row in rows if not row.listed]:
        names = _names([_key_of(row.person, row.entry.label) for row in strangers])
        yield f"Not on the roster, or not to be told apart by it: {names}."


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" + ("s" if number != 1 else "")


def _names(names: Sequence[str]) -> str:
    shown = [one_line(name) for name in names[:NAMED]]
    return ", ".join(shown) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")
