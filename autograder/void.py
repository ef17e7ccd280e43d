"""``[void]`` in ``assignment.toml``: a criterion that turned out faulty after the deadline counts in full for everyone.

Like late rules it grades nothing anew: results keep what the criterion said, and ``report`` applies it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from autograder.results import ABSENT, CriterionResult, SubmissionResult
from autograder.toml import check_known, mistakes_in, parsed, shown

Void = Mapping[str, Mapping[str, str]]  # exercise → criterion → reason


def read_void(file: Path) -> Void:
    """What an ``assignment.toml`` voids, among what its ``[points]`` pay.

    Raises:
        CourseError: it is no TOML, or the table holds a mistake; the message names file and key.
        OSError: ``file`` cannot be read.
    """
    with mistakes_in(file):
        given = parsed(file.read_bytes())
        paid = given.get("points", {})
        criteria = {name: tuple(own) for name, own in paid.items() if isinstance(own, dict)}
        return void(given.get("void", {}), criteria)


def void(given: Any, criteria: Mapping[str, Collection[str]]) -> Void:
    """The table ``given``, checked.

    Args:
        criteria: every exercise that is paid → the names of its criteria.

    Raises:
        ValueError: it holds a mistake; the message names the key.
    """
    example = 'convolve.errors = "the reason"'
    if not isinstance(given, dict):
        raise ValueError(f"void is {shown(given)}, not a table [void] with lines such as {example}")
    for exercise, reasons in given.items():
        check_known(exercise, criteria, "exercise with points", "void.")
        if not isinstance(reasons, dict):
            raise ValueError(f"void.{exercise} is {shown(reasons)}; a criterion is voided, as in {example}")
        for criterion, reason in reasons.items():
            check_known(criterion, criteria[exercise], "criterion", f"void.{exercise}.")
            if not isinstance(reason, str) or not reason.strip():
                raise ValueError(f"void.{exercise}.{criterion} is {shown(reason)}, not the reason that students read")
    return given


def apply_void(result: SubmissionResult, voided: Void) -> SubmissionResult:
    """``result`` with exactly these criteria voided; who handed in nothing that could be read gets none."""
    if result.exercises and all(exercise.status in ABSENT for exercise in result.exercises):
        voided = {}

    def own(exercise: str, criterion: CriterionResult) -> CriterionResult:
        return dataclasses.replace(criterion, void=voided.get(exercise, {}).get(criterion.name, ""))

    exercises = tuple(
        dataclasses.replace(one, criteria=tuple(own(one.name, criterion) for criterion in one.criteria))
        for one in result.exercises
    )
    return dataclasses.replace(result, exercises=exercises)


def named(voided: Void) -> list[str]:
    """Each criterion that is voided, with the reason."""
    return [f"{exercise} {name} ({reason})" for exercise, own in voided.items() for name, reason in own.items()]
