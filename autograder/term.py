"""The late rules of an assignment as they stand for each student: extensions, and the free days that are left.

The folders of grades of a term stand side by side, ``grades/a1``, ``grades/a2`` …, so that the free days spent in
earlier assignments are counted from the facts that stand there, and no account of them can go stale.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from autograder import late
from autograder.collect.entry import HANDED_IN, HandIn, read_hand_in
from autograder.collect.found import Attempt
from autograder.deadline import Deadline, read_deadline
from autograder.extensions import Extension, read_extensions
from autograder.loading import find_assignments, full_name
from autograder.results import Late, RunRecord, SubmissionResult
from autograder.settings import SETTINGS
from autograder.store import ResultsError, read_run

EXTENSIONS = "extensions.csv"


@dataclass(frozen=True)
class LateRules:
    """``used`` are each student's free days spent in earlier assignments. ``earlier`` and ``later`` are the folders of
    grades, beside this one, of what is due before and after; there are none where a student has no free days.
    """

    deadline: Deadline
    extensions: tuple[Extension, ...]
    used: Mapping[str, int]
    earlier: tuple[Path, ...]
    later: tuple[Path, ...]

    def of(self, student: str) -> Deadline:
        """The deadline with the student's extension."""
        return late.extended(self.deadline, _until(self.extensions).get(student))

    def counted(self, student: str, attempts: Sequence[Attempt]) -> Attempt:
        """The one of a student's attempts that counts."""
        return attempts[late.counting([attempt.when for attempt in attempts], self.of(student))]

    def apply(self, result: SubmissionResult, record: RunRecord, hand_in: HandIn | None) -> SubmissionResult:
        """``result`` with exactly what these rules say of it. Overrides come before: they change what it starts at."""
        return dataclasses.replace(result, late=self._late(result, record, hand_in))

    def _late(self, result: SubmissionResult, record: RunRecord, hand_in: HandIn | None) -> Late | None:
        if result.infrastructure or (hand_in and hand_in.absent):
            return None
        student = result.student
        deadline = self.of(student)
        if hand_in and hand_in.handed_in and deadline.due:
            left = self.deadline.policy.days - self.used.get(student, 0)
            return late.apply(deadline, hand_in.handed_in, left, result.raw_score, result.max_score)
        newest = datetime.fromisoformat(record.newest) if record.newest else None
        return late.flagged(deadline, hand_in.late if hand_in else None, newest)


def late_rules(out: Path | None, root: Path, assignment: str) -> LateRules:
    """The rules for what is graded into ``out``; without it nobody has an extension or has spent a free day.

    Raises:
        CourseError: the course at ``root`` has no such assignment, or its settings, or extensions here or in an earlier
            assignment, hold a mistake.
        ResultsError: the facts of an earlier hand-in are damaged.
    """
    name = full_name(assignment, root)
    deadline = read_deadline(_settings(root, name))
    extensions = tuple(read_extensions(out / EXTENSIONS, deadline)) if out else ()
    if not (out and out.resolve().parent.is_dir() and deadline.due and deadline.policy.days):
        return LateRules(deadline, extensions, {}, (), ())
    others, here = _others(out, root, name), (deadline.due.astimezone(UTC), name)
    earlier = [other for other in others if (other.due, other.assignment) < here]
    later = others[len(earlier) :]
    return LateRules(
        deadline, extensions, _spent(earlier), *(tuple(o.folder for o in some) for some in (earlier, later))
    )


def _settings(root: Path, name: str) -> Path:
    return root / "solutions" / name / SETTINGS


def _until(extensions: Sequence[Extension]) -> dict[str, datetime]:
    return {e.student: e.until for e in extensions}


@dataclass(frozen=True)
class _Other:
    """Another assignment of the term, as it was graded into ``folder``."""

    assignment: str
    folder: Path
    deadline: Deadline
    due: datetime  # in UTC


def _others(out: Path, root: Path, name: str) -> list[_Other]:
    """What was graded beside ``out`` and has a due, by that time; of the same time by name."""
    found, known = [], find_assignments(root)
    for folder in sorted(out.resolve().parent.iterdir()):
        assignment = ""
        with contextlib.suppress(ResultsError, OSError):
            assignment = read_run(folder).get("assignment", "")
        if assignment in known and assignment != name:
            deadline = read_deadline(_settings(root, assignment))
            if deadline.due:
                found.append(_Other(assignment, folder, deadline, deadline.due.astimezone(UTC)))
    return sorted(found, key=lambda other: (other.due, other.assignment))


def _spent(earlier: Sequence[_Other]) -> dict[str, int]:
    """The free days that each student spent; of an assignment with several folders, such as sections, the most."""
    used: Counter[str] = Counter()
    for _, group in groupby(earlier, attrgetter("assignment")):
        spent: Counter[str] = Counter()
        for other in group:
            until = _until(read_extensions(other.folder / EXTENSIONS, other.deadline))
            for hand_in in _hand_ins(other.folder):
                theirs = late.extended(other.deadline, until.get(hand_in.key))
                left = other.deadline.policy.days - used[hand_in.key]
                spent |= Counter({hand_in.key: late.days_spent(theirs, hand_in.handed_in, left)})
        used += spent
    return dict(used)


def _hand_ins(out: Path) -> Iterator[HandIn]:
    """The facts of each hand-in that was graded into ``out``.

    Raises:
        ResultsError: some are damaged.
    """
    for path in sorted(out.glob(f"*/{HANDED_IN}")):
        try:
            if hand_in := read_hand_in(path.parent):
                yield hand_in
        except ValueError:
            raise ResultsError(f"{path} is damaged, and free days spent there count here: grade it again.") from None
