"""Reads ``assignment.toml``, which a teacher edits without touching Python. A mistake in it is one sentence."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from autograder.course import Assignment, Conventions, CourseError
from autograder.decimals import RULE, number, points, total
from autograder.text import shortened

SETTINGS = "assignment.toml"
KEYS = ("title", "visibility", "due", "points")
VISIBILITIES = ("visible", "hidden", "after_due_date", "after_published")  # Gradescope's
USUAL_TOTAL = 100
YEARS = range(1971, 9999)  # in which every time is one in any time zone


@dataclass(frozen=True)
class Settings:
    """``points[exercise][criterion]`` are the points; an exercise that is not in it is not graded."""

    title: str
    points: Mapping[str, Mapping[str, float]]
    visibility: str
    due: datetime | None


def read_settings(file: Path, criteria: Mapping[str, Collection[str]]) -> Settings:
    """What ``file`` says.

    Args:
        criteria: every exercise that there is → the names of its criteria.

    Raises:
        CourseError: it is not TOML, or a key is missing, unknown or not of its kind; the message names file and key.
    """
    try:
        given = _parsed(file.read_bytes())
        for key in given:
            if key in criteria:
                raise ValueError(f"{key} stands above the line [points]: the points of exercises belong below it")
            _check_known(key, KEYS, "setting")
        title, visibility = given.get("title"), given.get("visibility", VISIBILITIES[0])
        if not isinstance(title, str) or not title.strip():
            raise ValueError("title is missing" if title is None else f"title is {_shown(title)}, not a text")
        if not isinstance(visibility, str):
            raise ValueError(f"visibility is {_shown(visibility)}, not a text such as {_shown(VISIBILITIES[0])}")
        _check_known(visibility, VISIBILITIES, "visibility", "visibility = ")
        return Settings(title, _points(given.get("points"), criteria), visibility, _due(given.get("due")))
    except ValueError as error:
        raise CourseError(f"{file}: {shortened(str(error))}.") from None


def remarks(assignment: Assignment) -> list[str]:
    """A sentence for each setting that may be meant as it is, and often is not."""
    file, due, most = f"solutions/{assignment.name}/{SETTINGS}", assignment.due, assignment.max_score
    said = []
    if most != USUAL_TOTAL:
        said.append(f"{file}: the points add up to {points(most)} without bonus, not to {USUAL_TOTAL}.")
    if due and due.tzinfo is None:
        said.append(f"{file}: due has no offset such as +02:00, so that it is another moment in another time zone.")
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


def _parsed(content: bytes) -> dict[str, Any]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8 text") from None
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except (ValueError, ArithmeticError, RecursionError) as error:
        what = str(error).replace("Cannot overwrite a value", "A key stands there twice")
        found = re.search(r"\(at line (\d+)", what)
        line = text.split("\n")[int(found[1]) - 1].strip() if found else ""
        raise ValueError(f"it is not valid TOML: {what}" + (f", in “{line}”" if line else "")) from None


def _points(given: Any, criteria: Mapping[str, Collection[str]]) -> dict[str, dict[str, float]]:
    if given is None:
        raise ValueError("the table [points] is missing")
    if not isinstance(given, dict):
        raise ValueError(f"points is {_shown(given)}, not a table [points] with a line for each exercise")
    if not given:
        raise ValueError("[points] has no line: nothing would be graded")
    for exercise, paid in given.items():
        if exercise in KEYS and exercise not in criteria:
            raise ValueError(f"{exercise} stands below the line [points]: it belongs above it")
        _check_known(exercise, criteria, "exercise", "points.")
        if not isinstance(paid, dict):
            example = ", ".join(f"{name} = 1" for name in criteria[exercise])
            raise ValueError(
                f"points.{exercise} is {_shown(paid)}; points go to its criteria: {exercise} = {{ {example} }}"
            )
        for criterion in paid:
            _check_known(criterion, criteria[exercise], "criterion", f"points.{exercise}.")
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
    raise ValueError(f"{key} is {_shown(value)}, not a number of points {RULE}")


def _due(value: Any) -> datetime | None:
    """A date alone means the end of that day."""
    if value is None:
        return None
    if isinstance(value, date):
        if value.year not in YEARS:
            raise ValueError(f"due is {value}, and not in the years {YEARS[0]} to {YEARS[-1]}")
        return value if isinstance(value, datetime) else datetime.combine(value, time.max)
    raise ValueError("due is not a date and time such as 2027-04-26T23:59:00+02:00")


def _check_known(name: str, known: Collection[str], what: str, before: str = "") -> None:
    if name not in known:
        near = get_close_matches(name, known, 1)
        meant = f" (do you mean {near[0]}?)" if near else ""
        raise ValueError(f"{before}{name}: there is no such {what}{meant}; there are {', '.join(known)}")


def _shown(value: Any) -> str:
    """A value as TOML writes it; tables and lists by their kind alone."""
    match value:
        case dict():
            return "a table"
        case list():
            return "a list"
        case bool() | str():
            return json.dumps(value, ensure_ascii=False)
    return str(value)
