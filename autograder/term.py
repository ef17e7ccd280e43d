"""The late rules of an assignment as they stand for each student: extensions, and the free days that are left.

The folders of grades of a term stand side by side, ``grades/a1``, ``grades/a2`` …, so that the free days spent in
earlier assignments are counted from the facts that stand there, and no account of them can go stale.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from autograder import late
from autograder.collect.entry import HANDED_IN, HandIn, read_hand_in
from autograder.deadline import Deadline, read_deadline
from autograder.extensions import Extension, read_extensions
from autograder.loading import find_assignments, full_name
from autograder.results import Late, RunRecord, SubmissionResult
from autograder.settings import SETTINGS
from autograder.store import ResultsError, read_run

EXTENSIONS = "extensions.csv"


@dataclass(frozen=True)
class LateRules:
    """``used`` are each student's free days spent in earlier assignments, which were graded into ``folders``."""

    deadline: Deadline
    extensions: tuple[Extension, ...]
    used: Mapping[str, int]
    folders: tuple[Path, ...]

    def apply(self, result: SubmissionResult, record: RunRecord, hand_in: HandIn | None) -> SubmissionResult:
        """``result`` with exactly what these rules say of it. Overrides come before: they change what it starts at."""
        return dataclasses.replace(result, late=self._late(result, record, hand_in))

    def _late(self, result: SubmissionResult, record: RunRecord, hand_in: HandIn | None) -> Late | None:
        if result.infrastructure or (hand_in and hand_in.absent):
            return None
        student = result.student
        deadline = late.extended(self.deadline, _until(self.extensions).get(student))
        if hand_in and hand_in.handed_in:
            left = self.deadline.policy.days - self.used.get(student, 0)
            return late.apply(deadline, hand_in.handed_in, left, result.raw_score, result.max_score)
        newest = datetime.fromisoformat(record.newest) if record.newest else None
        return late.flagged(deadline, hand_in.late if hand_in else None, newest)


def late_rules(out: Path, root: Path, assignment: str) -> LateRules:
    """The rules for what is graded into ``out``.

    Raises:
        CourseError: the course at ``root`` has no such assignment, or its settings, or extensions here or in an earlier
            assignment, hold a mistake.
    """
    name = full_name(assignment, root)
    deadline = read_deadline(_settings(root, name))
    extensions = tuple(read_extensions(out / EXTENSIONS, deadline))
    earlier = [] if not deadline.due or not deadline.policy.days else list(_earlier(out, root, name, deadline.due))
    return LateRules(deadline, extensions, _spent(earlier), tuple(folder for _, folder, _ in earlier))


def _settings(root: Path, name: str) -> Path:
    return root / "solutions" / name / SETTINGS


def _until(extensions: tuple[Extension, ...]) -> dict[str, datetime]:
    return {e.student: e.until for e in extensions}


def _earlier(out: Path, root: Path, name: str, due: datetime) -> Iterator[tuple[str, Path, Deadline]]:
    """Assignment, folder of grades and deadline of what was due before, by that time; the same time goes by name."""
    found, known = [], find_assignments(root)
    for folder in sorted(out.resolve().parent.iterdir()):
        with contextlib.suppress(ResultsError, OSError):
            other = read_run(folder).get("assignment")
            if folder != out.resolve() and other in known and other != name:
                theirs = read_deadline(_settings(root, other))
                if theirs.due:
                    found.append(((theirs.due.astimezone(UTC), other), folder, theirs))
    for when, folder, theirs in sorted(found, key=lambda one: one[0]):
        if when < (due.astimezone(UTC), name):
            yield when[1], folder, theirs


def _spent(earlier: list[tuple[str, Path, Deadline]]) -> dict[str, int]:
    """The free days that each student spent; of an assignment with several folders, such as sections, the most."""
    used: Counter[str] = Counter()
    for assignment in dict.fromkeys(name for name, _, _ in earlier):
        spent: Counter[str] = Counter()
        for name, folder, deadline in earlier:
            if name == assignment:
                until = _until(tuple(read_extensions(folder / EXTENSIONS, deadline)))
                for hand_in in hand_ins(folder).values():
                    theirs = late.extended(deadline, until.get(hand_in.key))
                    left = deadline.policy.days - used[hand_in.key]
                    spent |= Counter({hand_in.key: late.days_spent(theirs, hand_in.handed_in, left)})
        used += spent
    return dict(used)


def hand_ins(out: Path) -> dict[str, HandIn]:
    """The facts of each hand-in that was graded into ``out``, by student; without those that are damaged."""
    found = {}
    for path in sorted(out.glob(f"*/{HANDED_IN}")):
        with contextlib.suppress(ValueError, OSError):
            if hand_in := read_hand_in(path.parent):
                found[hand_in.key] = hand_in
    return found
