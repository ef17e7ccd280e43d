"""One submission, part by part: each in a process of its own, which ends in time and gives its memory back.

A part that does not come to its end costs its own points; the others are reported.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeVar

from autograder.course import Assignment, Exercise, Part
from autograder.loading import load
from autograder.results import CriterionResult, ExerciseResult, RunRecord, SubmissionResult
from autograder.workers import Graded, Grader, Setting, Task, not_graded, prepare_worker

CLOSING = 10.0  # seconds for a process to close its sandboxes, once it has answered
ENDED = "The grader's process ended while working on it."

_T = TypeVar("_T")


@dataclass(frozen=True)
class GradedParts:
    """``records`` are those of the parts that came to their end, and ``unfinished`` the names of the others."""

    result: SubmissionResult
    records: tuple[RunRecord, ...]
    unfinished: tuple[str, ...]

    @property
    def traceback(self) -> str:
        """Of the grader, where it failed."""
        return "".join(record.not_graded.traceback for record in self.records if record.not_graded)


def grade_parts(setting: Setting, student: str, path: Path, seconds: float) -> GradedParts:
    """Grade what lies at ``path`` within ``seconds`` of wall-clock time, of which no part may use up another's share.

    The result has no grade, and says why in ``infrastructure``, where the grader failed at a part.

    Raises:
        CourseError: the course has no such assignment, or it is not complete.
    """
    assignment = load(setting.assignment, setting.root)
    end = time.monotonic() + seconds
    graded: dict[str, Graded] = {}
    for number, part in enumerate(assignment.parts):
        share = max(0.0, end - time.monotonic()) / (len(assignment.parts) - number)
        if one := _graded_apart(setting, assignment, Task(student, path, {}), part, share):
            graded[part.name] = one
            if one.record.not_graded:
                break
    records = tuple(one.record for one in graded.values())
    results = {name: one.result for name, one in graded.items() if one.result}
    if failed := next((result for result in results.values() if result.infrastructure), None):
        return GradedParts(failed, records, ())
    unfinished = tuple(part.name for part in assignment.parts if part.name not in results)
    return GradedParts(merged(assignment, student, results, unfinished), records, unfinished)


def _graded_apart(setting: Setting, assignment: Assignment, task: Task, part: Part, seconds: float) -> Graded | None:
    """The submission as if nothing but ``part`` had been handed in; None if that took longer than ``seconds``."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_grade, args=(setting, task, part.name, theirs))
    process.start()
    theirs.close()
    try:
        if not ours.poll(seconds):
            return None
        graded: Graded = ours.recv()
        process.join(CLOSING)
        return graded
    except EOFError:
        return not_graded(assignment, task.student, ENDED)
    finally:
        ours.close()
        process.kill()  # whatever sandboxes it still has end with it
        process.join()


def _grade(setting: Setting, task: Task, part: str, connection: Connection) -> None:
    grader = Grader(setting, parts=[part])
    prepare_worker(grader.close)
    connection.send(grader.grade(task))
    grader.close()


def merged(
    assignment: Assignment, student: str, results: Mapping[str, SubmissionResult], unfinished: Sequence[str] = ()
) -> SubmissionResult:
    """One result from those of each part by itself; parts that are ``unfinished`` earn nothing and say so."""
    by_part = {name: {one.name: one for one in result.exercises} for name, result in results.items()}
    exercises = tuple(
        by_part[exercise.part][exercise.name]
        if exercise.part in by_part
        else _unfinished(exercise, assignment.points[exercise.name])
        for exercise in assignment.exercises
    )
    late = tuple(
        f"{name}.py could not be graded to its end in the time that the platform gives." for name in unfinished
    )
    return SubmissionResult(
        student,
        assignment.name,
        assignment.title,
        exercises,
        (*_once(note for result in results.values() for note in result.notes), *late),
        visibility=assignment.visibility,
        attention=_once(one for result in results.values() for one in result.attention),
    )


def _unfinished(exercise: Exercise, points: Mapping[str, float]) -> ExerciseResult:
    message = f"Not graded: {exercise.part}.py took all the time that the platform gives."
    criteria = tuple(CriterionResult(one.name, points[one.name], False, message) for one in exercise.criteria)
    return ExerciseResult(exercise.name, exercise.part, "failed", criteria, exercise.bonus)


def _once(items: Iterable[_T]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys(items))
