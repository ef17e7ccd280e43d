"""What the reports count: credit, averages, how exercises do as items of a test, and who fails what.

Averages, shares of points, discrimination and success are those of the students who handed in readable work: who handed
in nothing says nothing about an exercise, nor about how hard the whole was.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Literal

from autograder.decimals import total
from autograder.results import ABSENT, CriterionResult, ExerciseResult, SubmissionResult

FEWEST = 10  # students from whose points anything is read
HARD, EASY = 0.3, 0.85  # shares of the points
AGAINST = -0.1  # what is less negative may be chance
WEAK, GOOD = 0.2, 0.4  # R. L. Ebel, Measuring Educational Achievement, 1965, chapter 11

Credit = Literal["full", "partial", "none", "not started", "not handed in", "not read"]


def credit(exercise: ExerciseResult) -> Credit:
    """The kind of credit, which a symbol or a colour can show."""
    if exercise.override is not None or any(criterion.void for criterion in exercise.criteria):
        return "full" if exercise.points >= exercise.max_points else "partial" if exercise.points > 0 else "none"
    if exercise.status == "passed":
        return "full"
    if exercise.status == "failed":
        return "partial" if exercise.points > 0 else "none"
    return exercise.status


def readable(result: SubmissionResult) -> bool:
    """Whether something that could be imported was handed in. What could not be says so in every criterion, and in a
    note.
    """

    def imported(exercise: ExerciseResult) -> bool:
        messages = {criterion.message for criterion in exercise.criteria if not criterion.passed}
        return not (len(messages) == 1 and messages <= set(result.notes)) or exercise.points > 0

    return any(exercise.status not in ABSENT and imported(exercise) for exercise in result.exercises)


@dataclass(frozen=True)
class ExerciseSummary:
    """One exercise over all readable submissions. ``entries`` pairs each student with the result, ``others`` are the
    points that each earned in all other exercises, in the same order.
    """

    name: str
    max_points: float
    bonus: bool
    entries: tuple[tuple[str, ExerciseResult], ...]
    others: tuple[float, ...] = ()

    def count(self, *kinds: Credit) -> int:
        return sum(credit(result) in kinds for _, result in self.entries)

    @property
    def tried(self) -> int:
        return self.count("full", "partial", "none")

    @property
    def success_rate(self) -> float:
        """The share of students who won every criterion; 0 where there are none."""
        return self.count("full") / len(self.entries) if self.entries else 0.0

    @property
    def earned(self) -> float:
        """The share of the points that was earned, from 0 (nobody earned any) to 1; 0 where there are none to earn.

        Textbooks call it an item's difficulty, although the hardest has the least.
        """
        if not self.entries or not self.max_points:
            return 0.0
        return statistics.fmean(result.earned for _, result in self.entries) / self.max_points

    @cached_property
    def discrimination(self) -> float | None:
        """The correlation between the points of this exercise and those of all others, as they were earned.

        Where an exercise pays all or nothing it is the point-biserial correlation. None where one of them is the same
        for all, or there are fewer than two students.
        """
        earned = [result.earned for _, result in self.entries]
        if len(set(earned)) < 2 or len(set(self.others)) < 2:
            return None
        return statistics.correlation(earned, self.others)

    @property
    def reading(self) -> str:
        """What the share of points and discrimination say, for teachers."""
        if len(self.entries) < FEWEST:
            return "too few students to say"
        level = "hard" if self.earned < HARD else "easy" if self.earned > EASY else "of medium difficulty"
        if self.discrimination is None:
            return f"{level}; all have the same points"
        if self.discrimination < AGAINST:
            return f"{level}; who is good elsewhere does worse here: look at the question"
        if self.discrimination < WEAK:
            return f"{level}; hardly tells strong students from weak ones"
        well = "well" if self.discrimination >= GOOD else "to some degree"
        return f"{level}; tells strong students from weak ones {well}"

    def criteria(self, passed: bool) -> Iterator[str]:
        """The criteria that everybody who started the exercise passed, or nobody did, where at least two started."""
        started = [result for _, result in self.entries if result.status in ("passed", "failed")]
        for criterion in started[0].criteria if len(started) > 1 else ():
            found = [c.passed for result in started for c in result.criteria if c.name == criterion.name]
            if all(one is passed for one in found):
                yield criterion.name

    @property
    def mean(self) -> float:
        return statistics.fmean(result.points for _, result in self.entries) if self.entries else 0.0


@dataclass(frozen=True)
class SharedFailure:
    """Students who started ``exercise`` and share a failure: ``what`` is a criterion, a message, a misconception
    or a small change of the reference.
    """

    exercise: str
    what: str
    students: tuple[str, ...]
    tried: int


@dataclass(frozen=True)
class ClassSummary:
    """A class in one assignment. Submissions that were not graded, and those that hold nothing readable, count in
    nothing but their own number.
    """

    results: tuple[SubmissionResult, ...]

    @cached_property
    def graded(self) -> tuple[SubmissionResult, ...]:
        return tuple(result for result in self.results if not result.infrastructure)

    @cached_property
    def readable(self) -> tuple[SubmissionResult, ...]:
        return tuple(filter(readable, self.graded))

    @property
    def unread(self) -> int:
        """How many are graded and hold nothing readable."""
        return len(self.graded) - len(self.readable)

    @cached_property
    def exercises(self) -> tuple[ExerciseSummary, ...]:
        """Every exercise that some result names, in the order of the assignment."""
        known: dict[str, list[ExerciseResult]] = {}
        for result in self.results:
            for exercise in result.exercises:
                known.setdefault(exercise.name, []).append(exercise)
        entries: dict[str, list[tuple[str, ExerciseResult]]] = {name: [] for name in known}
        others: dict[str, list[float]] = {name: [] for name in known}
        for result in self.readable:
            whole = total(exercise.earned for exercise in result.exercises)
            for exercise in result.exercises:
                entries[exercise.name].append((result.student, exercise))
                others[exercise.name].append(total([whole, -exercise.earned]))
        return tuple(
            ExerciseSummary(
                name, max(e.max_points for e in found), found[0].bonus, tuple(entries[name]), tuple(others[name])
            )
            for name, found in known.items()
        )

    def cells(self, result: SubmissionResult) -> list[ExerciseResult | None]:
        """One submission in the order of :attr:`exercises`; ``None`` where it has no result."""
        found = {} if result.infrastructure else {exercise.name: exercise for exercise in result.exercises}
        return [found.get(exercise.name) for exercise in self.exercises]

    @cached_property
    def scores(self) -> list[float]:
        """Those of readable work."""
        return [result.score for result in self.readable]

    @cached_property
    def max_score(self) -> float:
        return max((result.max_score for result in self.results), default=0.0)

    @property
    def mean(self) -> float:
        """Mean score; asks for at least one readable submission, as does :attr:`median`."""
        return statistics.fmean(self.scores)

    @property
    def median(self) -> float:
        return statistics.median(self.scores)

    def hardest(self, number: int) -> list[ExerciseSummary]:
        """The exercises with the lowest success rate, lowest first, leaving out bonus and those that all passed."""
        missed = [e for e in self.exercises if e.entries and e.success_rate < 1 and not e.bonus]
        return sorted(missed, key=lambda e: e.success_rate)[:number]

    @cached_property
    def failed_criteria(self) -> list[SharedFailure]:
        """Each criterion that somebody who started the exercise missed, most students first."""
        return self._failures(lambda criterion: [criterion.name])

    @cached_property
    def misconceptions(self) -> list[SharedFailure]:
        """Each misconception that somebody's answers show, most students first."""
        return self._failures(attrgetter("misconceptions"))

    def messages(self, number: int) -> list[SharedFailure]:
        """The messages that most students got, most frequent first; not those that only one of them got."""
        return [failure for failure in self._failures(lambda c: [c.message]) if len(failure.students) > 1][:number]

    def shared(self, found: Mapping[str, Mapping[str, Sequence[str]]]) -> list[SharedFailure]:
        """What was ``found`` about students' exercises (student → exercise → texts), most students first."""
        failures = []
        for exercise in self.exercises:
            students: dict[str, list[str]] = {}
            for student, _ in exercise.entries:
                for what in found.get(student, {}).get(exercise.name, ()):
                    students.setdefault(what, []).append(student)
            failures += [
                SharedFailure(exercise.name, what, tuple(who), exercise.tried) for what, who in students.items()
            ]
        return sorted(failures, key=lambda failure: -len(failure.students))

    def _failures(self, labels: Callable[[CriterionResult], Sequence[str]]) -> list[SharedFailure]:
        failures = []
        for exercise in self.exercises:
            students: dict[str, dict[str, None]] = {}
            for student, result in exercise.entries:
                for criterion in result.criteria:
                    if result.status == "failed" and not criterion.won:
                        for what in filter(None, labels(criterion)):
                            students.setdefault(what, {})[student] = None
            failures += [
                SharedFailure(exercise.name, what, tuple(who), exercise.tried) for what, who in students.items()
            ]
        return sorted(failures, key=lambda failure: -len(failure.students))
