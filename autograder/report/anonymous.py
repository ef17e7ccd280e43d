"""A class without names, for showing in class."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Sequence

from autograder.answer_groups import AnswerGroup
from autograder.results import SubmissionResult


def anonymous(
    results: Sequence[SubmissionResult], groups: Sequence[AnswerGroup]
) -> tuple[list[SubmissionResult], list[AnswerGroup]]:
    """The class under pseudonyms, in an order drawn anew each time, so that no two pages can be laid side by side.

    Notes, late rules' sentences and reasons go, since they may hold names, files and times; points stay as they are.
    """
    shuffled = random.SystemRandom().sample(list(results), len(results))
    digits = len(str(len(results)))
    names = {result.student: f"student {number:0{digits}}" for number, result in enumerate(shuffled, 1)}
    members = [tuple(sorted(names[student] for student in group.students)) for group in groups]
    return [_without_facts(result, names[result.student]) for result in shuffled], [
        dataclasses.replace(group, students=students) for group, students in zip(groups, members, strict=True)
    ]


def _without_facts(result: SubmissionResult, name: str) -> SubmissionResult:
    late = dataclasses.replace(result.late, sentence="") if result.late and result.late.points_off else None
    exercises = tuple(dataclasses.replace(exercise, reason="") for exercise in result.exercises)
    said = {criterion.message for exercise in result.exercises for criterion in exercise.criteria}
    notes = tuple(note for note in result.notes if note in said)  # by which what cannot be read is known
    failed = "The grader failed here." if result.infrastructure else ""
    return dataclasses.replace(
        result,
        student=name,
        exercises=exercises,
        notes=notes,
        infrastructure=failed,
        attention=(),
        late=late,
        reason="",
    )
