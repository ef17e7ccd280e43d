"""Plain results of grading one submission, and their Gradescope form. Reports read these and nothing else."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from autograder import decimals

Status = Literal["passed", "failed", "not started", "not handed in", "not read"]
ABSENT: tuple[Status, ...] = ("not handed in", "not read")  # where there was nothing to ask

SCHEMA = 4  # of what is written; 0 is what was written before it had a number


@dataclass(frozen=True)
class CriterionResult:
    """One named share of an exercise: ``message`` says what is wrong and never holds a hidden input or value.

    ``misconceptions`` are the names of those that the answers show: one, or two at once. ``void`` is why the criterion
    counts in full for everyone, whether passed or not; empty where it does not.
    """

    name: str
    max_points: float
    passed: bool
    message: str = ""
    misconceptions: tuple[str, ...] = ()
    void: str = ""

    @property
    def won(self) -> bool:
        return self.passed or bool(self.void)

    @property
    def points(self) -> float:
        return self.max_points if self.won else 0

    @property
    def told(self) -> str:
        """The message, and before it that the criterion is void."""
        return " ".join(filter(None, (f"Counts in full for everyone: {self.void}" if self.void else "", self.message)))


@dataclass(frozen=True)
class ExerciseResult:
    """One exercise. ``override`` replaces what the criteria earned, for the ``reason`` that a teacher gave.

    Its part was ``not handed in``; or ``not read``: it may stand in something that was handed in and refused.
    """

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


AttentionKind = Literal["refused", "not imported", "repaired", "left out", "chosen", "read as"]


@dataclass(frozen=True)
class Attention:
    """Something technical about a submission that its teacher may want to look at; ``sentence`` is one of its notes.

    ``refused``: nothing could be graded. ``not imported``: a part could not be imported. ``repaired``: a part could be
    imported only without some of its statements. ``left out``: a file, or something in a notebook, does not count.
    ``chosen``: one of several files was graded. ``read as``: the encoding of a file is a guess.
    """

    kind: AttentionKind
    sentence: str


@dataclass(frozen=True)
class Late:
    """What the late rules say of a hand-in that came after its deadline.

    Attributes:
        points_off: what they take from the points.
        units: late hours or days that were charged.
        days: free days of the term that were spent.
        close: whether it missed due, the end of the grace period or the cutoff by no more than 15 minutes.
        sentence: which rule took what.
    """

    points_off: float = 0
    units: int = 0
    days: int = 0
    close: bool = False
    sentence: str = ""


@dataclass(frozen=True)
class SubmissionResult:
    """``notes`` are sentences about the submission as a whole: what was ignored, refused, or missing; ``attention``
    marks those of them that a teacher may want to look at.

    ``visibility`` is Gradescope's. ``infrastructure`` is set when the grader itself failed: the submission then has no
    grade, which is not a zero. ``late`` is None where it was handed in on time, or nobody knows when. ``override``
    replaces the points of all exercises, for the ``reason`` that a teacher gave. ``regrade`` says whom to ask for one.
    """

    student: str
    assignment: str
    title: str
    exercises: tuple[ExerciseResult, ...]
    notes: tuple[str, ...] = ()
    infrastructure: str = ""
    visibility: str = "visible"
    attention: tuple[Attention, ...] = ()
    late: Late | None = None
    override: float | None = None
    reason: str = ""
    regrade: str = ""

    @property
    def of_exercises(self) -> float:
        """The points of all exercises, with those that a teacher set by hand."""
        return decimals.total(e.points for e in self.exercises)

    @property
    def raw_score(self) -> float:
        """Points before the late rules, with what a teacher set by hand."""
        return self.of_exercises if self.override is None else self.override

    @property
    def score(self) -> float:
        return decimals.total([self.raw_score, -self.points_off])

    @property
    def points_off(self) -> float:
        """What the late rules take."""
        return self.late.points_off if self.late else 0

    @property
    def remarks(self) -> tuple[str, ...]:
        """The notes, and what the late rules say."""
        return (*self.notes, self.late.sentence) if self.late else self.notes

    @property
    def max_score(self) -> float:
        """Points without bonus."""
        return decimals.total(e.max_points for e in self.exercises if not e.bonus)

    @property
    def most(self) -> float:
        """Points with bonus: what can be had at all."""
        return decimals.total(e.max_points for e in self.exercises)


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
    ``nearest`` is for staff: exercise → small changes of the reference that answer as the submission does.
    ``groups``: failing exercise → digests, of which equal wrong answers share one (see ``groups``).
    ``newest`` is the date of the newest file, in ISO 8601.
    ``fingerprints`` are the marks of :mod:`autograder.fingerprint`, by part.
    ``not_graded`` is set where there is no grade.
    """

    key: dict[str, str] = field(default_factory=dict)
    path: str = ""
    student_cpu: float = 0.0
    grader_cpu: float = 0.0
    wall: float = 0.0
    isolation: dict[str, Any] = field(default_factory=dict)
    nearest: dict[str, list[str]] = field(default_factory=dict)
    groups: dict[str, list[str]] = field(default_factory=dict)
    newest: str = ""
    fingerprints: dict[str, str] = field(default_factory=dict)
    not_graded: NotGraded | None = None


def to_gradescope(result: SubmissionResult) -> dict[str, Any]:
    """A valid Gradescope ``results.json``: one test a criterion, others for what was set by hand and for what the late
    rules take, and the exact result again in ``extra_data``, with the points before them.
    """
    if result.infrastructure:
        raise ValueError("a submission that was not graded has no results file")
    return {
        "score": result.score,
        "output": "\n".join(result.remarks),
        "visibility": result.visibility,
        "tests": [
            *(test for exercise in result.exercises for test in _tests(exercise)),
            *_by_hand("all exercises", result.override, result.of_exercises, result.reason),
            *_late(result),
        ],
        "extra_data": {"schema": SCHEMA, "raw_score": result.raw_score, **dataclasses.asdict(result)},
    }


def _tests(exercise: ExerciseResult) -> Iterator[dict[str, Any]]:
    for criterion in exercise.criteria:
        yield {
            "name": f"{exercise.name}: {criterion.name}",
            "score": criterion.points,
            "max_score": 0 if exercise.bonus else criterion.max_points,
            "status": "passed" if criterion.won else "failed",
            "output": criterion.told,
        }
    yield from _by_hand(exercise.name, exercise.override, exercise.earned, exercise.reason)


def _by_hand(what: str, override: float | None, earned: float, reason: str) -> Iterator[dict[str, Any]]:
    if override is not None:
        yield {
            "name": f"{what}: set to {decimals.points(override)} points by the teacher",
            "score": decimals.total([override, -earned]),
            "max_score": 0,
            "output": reason,
        }


def _late(result: SubmissionResult) -> Iterator[dict[str, Any]]:
    if result.late and result.points_off:
        yield {
            "name": f"late: {decimals.points(result.raw_score)} points before, {decimals.points(result.score)} after",
            "score": decimals.total([-result.points_off]),
            "max_score": 0,
            "output": result.late.sentence,
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
        ExerciseResult(**{**e, "criteria": tuple(_criterion(c) for c in e["criteria"])}) for e in extra["exercises"]
    )
    for added in ("raw_score", "hand_in"):
        extra.pop(added, None)
    attention = tuple(Attention(**one) for one in extra.get("attention", ()))
    notes, late = tuple(extra["notes"]), Late(**extra["late"]) if extra.get("late") else None
    return SubmissionResult(**{**extra, "exercises": exercises, "notes": notes, "attention": attention, "late": late})


def _criterion(data: dict[str, Any]) -> CriterionResult:
    names = data.get("misconceptions") or filter(None, [data.get("misconception")])  # one at most, until schema 2
    known = {key: value for key, value in data.items() if key != "misconception"}
    return CriterionResult(**{**known, "misconceptions": tuple(names)})
