"""Plain results of grading one submission, and their Gradescope form. Reports read these and nothing else."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from autograder import decimals

Status = Literal["passed", "failed", "not started", "not handed in"]

SCHEMA = 1  # of what is written; 0 is what was written before it had a number


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
        return self.max_points if self.passed else 0


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
        return decimals.total(c.points for c in self.criteria)

    @property
    def points(self) -> float:
        return self.earned if self.override is None else self.override

    @property
    def max_points(self) -> float:
        return decimals.total(c.max_points for c in self.criteria)


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
        return decimals.total(e.points for e in self.exercises)

    @property
    def max_score(self) -> float:
        """Points without bonus."""
        return decimals.total(e.max_points for e in self.exercises if not e.bonus)


@dataclass(frozen=True)
class NotGraded:
    """Why the grader failed at a submission: a ``reason`` for its teacher, and Python's traceback for maintainers."""

    student: str
    assignment: str
    title: str
    reason: str
    traceback: str = ""

    def result(self) -> SubmissionResult:
        return SubmissionResult(self.student, self.assignment, self.title, (), infrastructure=self.reason)


@dataclass(frozen=True)
class RunRecord:
    """What may differ from run to run and is kept out of the results: seconds, paths, isolation.

    ``key`` names what the grade depends on (grader, seed, submission): while it stands, so does the grade.
    ``not_graded`` is set where there is no grade.
    """

    key: dict[str, str] = field(default_factory=dict)
    path: str = ""
    student_cpu: float = 0.0
    grader_cpu: float = 0.0
    wall: float = 0.0
    isolation: dict[str, Any] = field(default_factory=dict)
    not_graded: NotGraded | None = None


def to_gradescope(result: SubmissionResult) -> dict[str, Any]:
    """A valid Gradescope ``results.json``: one test a criterion, and the exact result again in ``extra_data``."""
    if result.infrastructure:
        raise ValueError("a submission that was not graded has no results file")
    return {
        "score": result.score,
        "output": "\n".join(result.notes),
        "visibility": result.visibility,
        "tests": [test for exercise in result.exercises for test in _tests(exercise)],
        "extra_data": {"schema": SCHEMA, **dataclasses.asdict(result)},
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
            "name": f"{exercise.name}: set to {decimals.points(exercise.override)} points by the teacher",
            "score": decimals.total([exercise.override, -exercise.earned]),
            "max_score": 0,
            "output": exercise.reason,
        }


class NewerResults(ValueError):
    """Results of a schema that this version does not know."""


def from_gradescope(data: dict[str, Any]) -> SubmissionResult:
    """The inverse of :func:`to_gradescope`, also of what an earlier version wrote.

    Raises:
        NewerResults: it was written by a later version.
    """
    extra = dict(data["extra_data"])
    if (schema := extra.pop("schema", 0)) > SCHEMA:
        raise NewerResults(f"results of schema {schema} need a newer grader")
    exercises = tuple(
        ExerciseResult(**{**e, "criteria": tuple(CriterionResult(**c) for c in e["criteria"])})
        for e in extra["exercises"]
    )
    return SubmissionResult(**{**extra, "exercises": exercises, "notes": tuple(extra["notes"])})
