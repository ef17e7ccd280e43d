"""What the reports count: credit, averages, success rates, and who fails what."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Literal

from autograder.results import CriterionResult, ExerciseResult, SubmissionResult

Credit = Literal["full", "partial", "none", "not started", "not handed in"]


def credit(exercise: ExerciseResult) -> Credit:
    """The kind of credit, which a symbol or a colour can show."""
    if exercise.override is not None or any(criterion.void for criterion in exercise.criteria):
        return "full" if exercise.points >= exercise.max_points else "partial" if exercise.points > 0 else "none"
    if exercise.status == "passed":
        return "full"
    if exercise.status == "failed":
        return "partial" if exercise.points > 0 else "none"
    return exercise.status


@dataclass(frozen=True)
class ExerciseSummary:
    """One exercise over all graded submissions. ``entries`` pairs each student with the result."""

    name: str
    max_points: float
    bonus: bool
    entries: tuple[tuple[str, ExerciseResult], ...]

    def count(self, *kinds: Credit) -> int:
        return sum(credit(result) in kinds for _, result in self.entries)

    @property
    def tried(self) -> int:
        return self.count("full", "partial", "none")

    @property
    def success_rate(self) -> float:
        """The share of graded students who passed; 0 where there are none."""
        return self.count("full") / len(self.entries) if self.entries else 0.0

    @property
    def mean(self) -> float:
        return statistics.fmean(result.points for _, result in self.entries) if self.entries else 0.0


@dataclass(frozen=True)
class Failure:
    """Students who started ``exercise`` and share a failure: ``what`` is a criterion, a message, a misconception
    or a small change of the reference.
    """

    exercise: str
    what: str
    students: tuple[str, ...]
    tried: int


@dataclass(frozen=True)
class ClassSummary:
    """A class in one assignment. Submissions that were not graded count in nothing but their own number."""

    results: tuple[SubmissionResult, ...]

    @cached_property
    def graded(self) -> tuple[SubmissionResult, ...]:
        return tuple(result for result in self.results if not result.infrastructure)

    @cached_property
    def exercises(self) -> tuple[ExerciseSummary, ...]:
        """Every exercise that some result names, in the order of the assignment."""
        known: dict[str, list[ExerciseResult]] = {}
        for result in self.results:
            for exercise in result.exercises:
                known.setdefault(exercise.name, []).append(exercise)
        entries: dict[str, list[tuple[str, ExerciseResult]]] = {name: [] for name in known}
        for result in self.graded:
            for exercise in result.exercises:
                entries[exercise.name].append((result.student, exercise))
        return tuple(
            ExerciseSummary(name, max(e.max_points for e in found), found[0].bonus, tuple(entries[name]))
            for name, found in known.items()
        )

    def cells(self, result: SubmissionResult) -> list[ExerciseResult | None]:
        """One submission in the order of :attr:`exercises`; ``None`` where it has no result."""
        found = {} if result.infrastructure else {exercise.name: exercise for exercise in result.exercises}
        return [found.get(exercise.name) for exercise in self.exercises]

    @cached_property
    def scores(self) -> list[float]:
        return [result.score for result in self.graded]

    @property
    def max_score(self) -> float:
        return max((result.max_score for result in self.results), default=0.0)

    @property
    def mean(self) -> float:
        """Mean score; asks for at least one graded submission, as does :attr:`median`."""
        return statistics.fmean(self.scores)

    @property
    def median(self) -> float:
        return statistics.median(self.scores)

    def hardest(self, number: int) -> list[ExerciseSummary]:
        """The exercises with the lowest success rate, lowest first, leaving out bonus and those that all passed."""
        missed = [e for e in self.exercises if e.entries and e.success_rate < 1 and not e.bonus]
        return sorted(missed, key=lambda e: e.success_rate)[:number]

    @cached_property
    def failed_criteria(self) -> list[Failure]:
        """Each criterion that somebody who started the exercise missed, most students first."""
        return self._failures(lambda criterion: [criterion.name])

    @cached_property
    def misconceptions(self) -> list[Failure]:
        """Each misconception that somebody's answers show, most students first."""
        return self._failures(attrgetter("misconceptions"))

    def messages(self, number: int) -> list[Failure]:
        """The messages that most students got, most frequent first; not those that only one of them got."""
        return [failure for failure in self._failures(lambda c: [c.message]) if len(failure.students) > 1][:number]

    def shared(self, found: Mapping[str, Mapping[str, Sequence[str]]]) -> list[Failure]:
        """What was ``found`` about students' exercises (student → exercise → texts), most students first."""
        failures = []
        for exercise in self.exercises:
            students: dict[str, list[str]] = {}
            for student, _ in exercise.entries:
                for what in found.get(student, {}).get(exercise.name, ()):
                    students.setdefault(what, []).append(student)
            failures += [Failure(exercise.name, what, tuple(who), exercise.tried) for what, who in students.items()]
        return sorted(failures, key=lambda failure: -len(failure.students))

    def _failures(self, labels: Callable[[CriterionResult], Sequence[str]]) -> list[Failure]:
        failures = []
        for exercise in self.exercises:
            students: dict[str, dict[str, None]] = {}
            for student, result in exercise.entries:
                for criterion in result.criteria:
                    if result.status == "failed" and not criterion.won:
                        for what in filter(None, labels(criterion)):
                            students.setdefault(what, {})[student] = None
            failures += [Failure(exercise.name, what, tuple(who), exercise.tried) for what, who in students.items()]
        return sorted(failures, key=lambda failure: -len(failure.students))
