"""The gradebook: a row a student, the points of each assignment, and the total in percent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from autograder.collect.entry import Person
from autograder.collect.roster import name_keys
from autograder.course import CourseError
from autograder.exports.people import Member, members
from autograder.gradebook.policy import GradebookPolicy, read_policy
from autograder.loading import find_assignments
from autograder.report.summary import readable
from autograder.store import read_run, results_in


@dataclass(frozen=True)
class Cell:
    """One assignment of one student: points before the late rules and after them, of those ``possible``.

    ``score`` is None where it is not graded. ``note`` says what is special about it. ``readable`` is whether anything
    readable was handed in.
    """

    raw: float | None
    score: float | None
    possible: float
    days: int = 0
    note: str = ""
    readable: bool = True

    @property
    def percent(self) -> Fraction | None:
        """The share of the points possible, in percent, before any cap."""
        return None if self.score is None else 100 * Fraction(str(self.score)) / Fraction(str(self.possible))


@dataclass(frozen=True)
class Line:
    """One student; ``total`` is in percent, and None where an assignment is not graded. ``dropped`` do not count."""

    key: str
    person: Person
    cells: Mapping[str, Cell]
    dropped: frozenset[str]
    total: Decimal | None

    @property
    def readable(self) -> bool:
        """Whether anything readable was handed in in any assignment."""
        return any(cell.readable for cell in self.cells.values())

    @property
    def days(self) -> int:
        """Free days of the term that were spent."""
        return sum(cell.days for cell in self.cells.values())

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(f"{name}: {cell.note}" for name, cell in self.cells.items() if cell.note)


@dataclass(frozen=True)
class Gradebook:
    """``possible`` are the points of each assignment, by the name that it was given."""

    names: tuple[str, ...]
    possible: Mapping[str, float]
    weights: Mapping[str, Fraction]
    policy: GradebookPolicy
    lines: tuple[Line, ...]
    sentences: tuple[str, ...]


def gradebook(folders: Sequence[tuple[str, Path]], root: Path) -> Gradebook:
    """What was graded into ``folders``, each with the name of its assignment.

    Raises:
        CourseError: a folder holds no results or those of another assignment, or ``course.toml`` holds a mistake.
        ResultsError: results cannot be read.
    """
    full = dict[str, str]()
    for name, folder in folders:
        there = str(read_run(folder).get("assignment", ""))
        if name not in (there, there.split("_")[0]):
            raise CourseError(f"{folder} holds {there or 'no assignment'}, not {name}.")
        if name in full or there in full.values():
            raise CourseError(f"{name} is given twice: a gradebook has one folder of grades for each assignment.")
        full[name] = there
    policy = read_policy(root, find_assignments(root), list(full.values()))
    graded = {name: {m.key: m for m in members(folder, results_in(folder))} for name, folder in folders}
    possible = {name: max(m.result.max_score for m in found.values()) for name, found in graded.items()}
    if empty := [name for name, points in possible.items() if not points]:
        raise CourseError(f"{empty[0]} has no points, or none of it is graded: leave it out.")
    weights = {name: policy.weight(full[name]) for name in full}
    if policy.drop_lowest >= sum(weight > 0 for weight in weights.values()):
        raise CourseError(
            f"gradebook.drop_lowest is {policy.drop_lowest}: none of {len(full)} assignments would count."
        )
    lines = []
    for key in sorted(set[str]().union(*graded.values())):
        cells = {name: _cell(found.get(key), possible[name]) for name, found in graded.items()}
        person = _person([found[key] for found in graded.values() if key in found])
        dropped, total = _total(cells, weights, policy)
        lines.append(Line(key, person, cells, dropped, total))
    left = [name for name in policy.weights if name not in full.values()]
    sentences = [f"Without {', '.join(left)}, whose weight does not count here."] if left else []
    return Gradebook(tuple(full), possible, weights, policy, tuple(lines), (*sentences, *_said(lines)))


def _cell(member: Member | None, possible: float) -> Cell:
    if member is None:
        return Cell(0, 0, possible, note="nobody of this key was graded, 0 points", readable=False)
    result = member.result
    if result.infrastructure:
        return Cell(None, None, possible, note=f"not graded: {result.infrastructure.rstrip('.')}")
    note = "nothing handed in, 0 points" if member.hand_in and member.hand_in.absent and not result.score else ""
    days = result.late.days if result.late else 0
    return Cell(result.raw_score, result.score, result.max_score or possible, days, note, readable(result))


def _person(known: Sequence[Member]) -> Person:
    """What any of the hand-ins says of a student, the first that says it."""
    people = [member.person for member in known]
    return Person(*(next(filter(None, told), "") for told in zip(*map(astuple, people), strict=True)))


def _total(
    cells: Mapping[str, Cell], weights: Mapping[str, Fraction], policy: GradebookPolicy
) -> tuple[frozenset[str], Decimal | None]:
    """The assignments that are dropped, and the weighted mean of the others.

    Of equal percentages the one of more weight is dropped, which is never to the student's disadvantage.
    """
    percents = {name: cell.percent for name, cell in cells.items()}
    known = {name: policy.capped(percent) for name, percent in percents.items() if percent is not None}
    if len(known) < len(cells):
        return frozenset(), None
    weighted = sorted((name for name in known if weights[name]), key=lambda name: (known[name], -weights[name]))
    dropped, counted = weighted[: policy.drop_lowest], weighted[policy.drop_lowest :]
    earned = sum((weights[name] * known[name] for name in counted), Fraction())
    return frozenset(dropped), policy.rounded(earned / sum(weights[name] for name in counted))


def _said(lines: Sequence[Line]) -> Iterator[str]:
    """Who was not everywhere, who has no total, and who may be one person."""
    for line in lines:
        for note in line.notes:
            yield f"{_shown(line)}: {note}."
    several: dict[str, list[Line]] = {}
    for line in lines:
        email = line.person.email.casefold()
        for mark in name_keys(line.person.name or line.key) | ({email} if email else set()):
            several.setdefault(mark, []).append(line)
    for keys in dict.fromkeys(tuple(line.key for line in group) for group in several.values() if len(group) > 1):
        yield f"Perhaps one student, kept apart: {' and '.join(keys)}."


def _shown(line: Line) -> str:
    return f"{line.person.name} ({line.key})" if line.person.name not in ("", line.key) else line.key
