"""Reads ``assignment.toml``, which a teacher edits without touching Python. A mistake in it is one sentence."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from autograder.course import Assignment, Conventions
from autograder.deadline import Deadline, deadline
from autograder.decimals import RULE, number, points, total
from autograder.toml import check_known, choice, mistakes_in, parsed, shown

SETTINGS = "assignment.toml"
KEYS = ("title", "visibility", "due", "timezone", "late", "points")
VISIBILITIES = ("visible", "hidden", "after_due_date", "after_published")  # Gradescope's
USUAL_TOTAL = 100


@dataclass(frozen=True)
class Settings:
    """``points[exercise][criterion]`` are the points; an exercise that is not in it is not graded."""

    title: str
    points: Mapping[str, Mapping[str, float]]
    visibility: str
    deadline: Deadline


def read_settings(file: Path, criteria: Mapping[str, Collection[str]]) -> Settings:
    """What ``file`` says.

    Args:
        criteria: every exercise that there is → the names of its criteria.

    Raises:
        CourseError: it is not TOML, or a key is missing, unknown or not of its kind; the message names file and key.
    """
    with mistakes_in(file):
        given = parsed(file.read_bytes())
        for key in given:
            if key in criteria:
                raise ValueError(f"{key} stands above the line [points]: the points of exercises belong below it")
            check_known(key, KEYS, "setting")
        title = given.get("title")
        if not isinstance(title, str) or not title.strip():
            raise ValueError("title is missing" if title is None else f"title is {shown(title)}, not a text")
        visibility = choice("visibility", given.get("visibility", VISIBILITIES[0]), VISIBILITIES)
        paid = _points(given.get("points"), criteria)
    return Settings(title, paid, visibility, deadline(given, file))


def remarks(assignment: Assignment) -> list[str]:
    """A sentence for each setting that may be meant as it is, and often is not."""
    file, most = f"solutions/{assignment.name}/{SETTINGS}", assignment.max_score
    said = []
    if most != USUAL_TOTAL:
        said.append(f"{file}: the points add up to {points(most)} without bonus, not to {USUAL_TOTAL}.")
    for paid in (e for e in assignment.exercises if isinstance(e, Conventions)):
        others = [
            total(assignment.points[e.name].values())
            for e in assignment.exercises
            if e.part == paid.part and e is not paid
        ]
        for law, worth in assignment.points[paid.name].items():
            if worth > min(others, default=worth):
                said.append(f"{file}: {paid.name}.{law} pays more than an exercise of {paid.part}.py.")
    return said


def _points(given: Any, criteria: Mapping[str, Collection[str]]) -> dict[str, dict[str, float]]:
    if given is None:
        raise ValueError("the table [points] is missing")
    if not isinstance(given, dict):
        raise ValueError(f"points is {shown(given)}, not a table [points] with a line for each exercise")
    if not given:
        raise ValueError("[points] has no line: nothing would be graded")
    for exercise, paid in given.items():
        if exercise in KEYS and exercise not in criteria:
            raise ValueError(f"{exercise} stands below the line [points]: it belongs above it")
        check_known(exercise, criteria, "exercise", "points.")
        if not isinstance(paid, dict):
            example = ", ".join(f"{name} = 1" for name in criteria[exercise])
            raise ValueError(
                f"points.{exercise} is {shown(paid)}; points go to its criteria: {exercise} = {{ {example} }}"
            )
        for criterion in paid:
            check_known(criterion, criteria[exercise], "criterion", f"points.{exercise}.")
        if missing := [criterion for criterion in criteria[exercise] if criterion not in paid]:
            raise ValueError(f"points.{exercise} has no points for its criterion {missing[0]}; they may be 0")
    return {
        exercise: {criterion: _number(f"points.{exercise}.{criterion}", value) for criterion, value in paid.items()}
        for exercise, paid in given.items()
    }


def _number(key: str, value: Any) -> float:
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        try:
            return number(value)
        except ValueError:
            pass
    raise ValueError(f"{key} is {shown(value)}, not a number of points {RULE}")
