"""Plain results of grading one submission, and their Gradescope form. Reports read these and nothing else."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

Status = Literal["passed", "failed", "not started", "not handed in"]


@dataclass(frozen=True)
class CriterionResult:
    """One named share of an exercise: ``message`` says what is wrong and never holds a hidden input or value.

    ``misconception`` is the name of the one that the answers show.
    """

    name: str
    max_points: float
    passed: bool
    message: str = ""
    misconception: str = ""

    @property
    def points(self) -> float:
        return self.max_points if self.passed else 0.0


@dataclass(frozen=True)
class ExerciseResult:
    """One exercise. ``override`` replaces what the criteria earned, for the ``reason`` that a teacher gave."""

    name: str
    part: str
    status: Status
    criteria: tuple[CriterionResult, ...]
    bonus: bool = False
    override: float | None = None
    reason: str = ""

    @property
    def earned(self) -> float:
        return sum(c.points for c in self.criteria)

    @property
    def points(self) -> float:
        return self.earned if self.override is None else self.override

    @property
    def max_points(self) -> float:
        return sum(c.max_points for c in self.criteria)


@dataclass(frozen=True)
class SubmissionResult:
    """``notes`` are sentences about the submission as a whole: what was ignored, refused, or missing.

    ``visibility`` is Gradescope's. ``infrastructure`` is set when the grader itself failed: the submission then has no
    grade, which is not a zero.
    """

    student: str
    assignment: str
    title: str
    exercises: tuple[ExerciseResult, ...]
    notes: tuple[str, ...] = ()
    infrastructure: str = ""
    visibility: str = "visible"

    @property
    def score(self) -> float:
        return sum(e.points for e in self.exercises)

    @property
    def max_score(self) -> float:
        """Points without bonus."""
        return sum(e.max_points for e in self.exercises if not e.bonus)


@dataclass(frozen=True)
class RunRecord:
    """What may differ from run to run and is kept out of the results: seconds, paths, isolation.

    ``key`` names what the grade depends on (grader, seed, submission): while it stands, so does the grade.
    """

    key: dict[str, str] = field(default_factory=dict)
    path: str = ""
    student_cpu: float = 0.0
    grader_cpu: float = 0.0
    wall: float = 0.0
    isolation: dict[str, Any] = field(default_factory=dict)


def to_gradescope(result: SubmissionResult) -> dict[str, Any]:
    """A valid Gradescope ``results.json``: one test a criterion, and the exact result again in ``extra_data``."""
    if result.infrastructure:
        raise ValueError("a submission that was not graded has no results file")
    return {
        "score": result.score,
        "output": "\n".join(result.notes),
        "visibility": result.visibility,
        "tests": [test for exercise in result.exercises for test in _tests(exercise)],
        "extra_data": dataclasses.asdict(result),
    }


def _tests(exercise: ExerciseResult) -> Iterator[dict[str, Any]]:
    for criterion in exercise.criteria:
        yield {
            "name": f"{exercise.name}: {criterion.name}",
            "score": criterion.points,
            "max_score": 0 if exercise.bonus else criterion.max_points,
            "status": "passed" if criterion.passed else "failed",
            "output": criterion.message,
        }
    if exercise.override is not None:
        yield {
            "name": f"{exercise.name}: set to {exercise.override:g} points by the teacher",
            "score": exercise.override - exercise.earned,
            "max_score": 0,
            "output": exercise.reason,
        }


def from_gradescope(data: dict[str, Any]) -> SubmissionResult:
    """The inverse of :func:`to_gradescope`."""
    extra = data["extra_data"]
    exercises = tuple(
        ExerciseResult(**{**e, "criteria": tuple(CriterionResult(**c) for c in e["criteria"])})
        for e in extra["exercises"]
    )
    return SubmissionResult(**{**extra, "exercises": exercises, "notes": tuple(extra["notes"])})


@dataclass(frozen=True)
class KnownMistake:
    """A misconception under audit: the criteria that it fails, and the misconceptions that its answers show.

    ``hides`` are misconceptions of exercises that need this one, which would cost nothing under it.
    """

    name: str
    exercise: str
    failed: tuple[str, ...]
    diagnosed: tuple[str, ...]
    hides: tuple[str, ...] = ()


@dataclass(frozen=True)
class UnusualSolution:
    """An alternative under audit: the criteria that it fails, which should be none."""

    name: str
    exercise: str
    failed: tuple[str, ...]


@dataclass(frozen=True)
class MutantResult:
    """An automatic mutant under audit: killed by an exercise's criterion, or marked as equivalent, or survived.

    ``doubt`` says what speaks against the mark.
    """

    definition: str
    digest: str
    change: str
    killed_by: str = ""
    reason: str = ""
    doubt: str = ""

    @property
    def survived(self) -> bool:
        return bool(self.doubt) or not (self.killed_by or self.reason)


@dataclass(frozen=True)
class AuditResult:
    """How well an assignment's hidden cases know right from wrong. ``criteria`` are (exercise, criterion).

    ``stale`` are sentences about marks that no longer belong to any mutant. ``mutants`` may be a sample of ``of``.
    """

    assignment: str
    title: str
    criteria: tuple[tuple[str, str], ...]
    misconceptions: tuple[KnownMistake, ...]
    alternatives: tuple[UnusualSolution, ...]
    mutants: tuple[MutantResult, ...]
    stale: tuple[str, ...] = ()
    of: int = 0

    def counts(self) -> dict[str, int]:
        return {
            "misconceptions": len(self.misconceptions),
            "killed": sum(bool(m.failed) for m in self.misconceptions),
            "diagnosed": sum(m.diagnosed == (m.name,) for m in self.misconceptions),
            "alternatives": len(self.alternatives),
            "accepted": sum(not a.failed for a in self.alternatives),
            "mutants": len(self.mutants),
            "mutants_killed": sum(bool(m.killed_by) for m in self.mutants),
            "equivalent": sum(bool(m.reason) and not m.survived for m in self.mutants),
        }

    def idle(self) -> list[str]:
        """Criteria that no misconception fails, or that fail for the same misconceptions as an earlier one."""
        found, seen = [], set[tuple[str, frozenset[str]]]()
        for exercise, criterion in self.criteria:
            caught = frozenset(m.name for m in self.misconceptions if m.exercise == exercise and criterion in m.failed)
            if not caught or (exercise, caught) in seen:
                found.append(f"{exercise}: {criterion}")
            seen.add((exercise, caught))
        return found

    def problems(self) -> list[str]:
        """Everything that keeps the proof from being complete, in sentences."""
        undiagnosed = len(self.misconceptions) - self.counts()["diagnosed"]
        marked = self.counts()["equivalent"]
        return [
            *(
                f"{m.exercise}: the misconception “{m.name}” keeps full marks."
                for m in self.misconceptions
                if not m.failed
            ),
            *(
                f"{m.exercise}: the misconception “{m.name}” is taken for {' and '.join(m.diagnosed)}."
                for m in self.misconceptions
                if {*m.diagnosed} - {m.name}
            ),
            *(
                f"{m.exercise}: “{m.name}” hides {' and '.join(m.hides)}: it must not be carried."
                for m in self.misconceptions
                if m.hides
            ),
            *(
                f"{a.exercise}: the alternative “{a.name}” loses {', '.join(a.failed)}."
                for a in self.alternatives
                if a.failed
            ),
            *(f"{m.definition} [{m.digest}]: {m.change}: {m.doubt or 'survives'}." for m in self.mutants if m.survived),
            *(f"{name}: no misconception needs this criterion." for name in self.idle()),
            *(
                ["Fewer than nine in ten misconceptions are diagnosed."]
                if undiagnosed > 0.1 * len(self.misconceptions)
                else []
            ),
            *(["More than eight in a hundred mutants are marked as equivalent."] if marked > 0.08 * self.of else []),
            *self.stale,
        ]
