"""How assignments become a total: the table ``[gradebook]`` of ``course.toml``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor
from pathlib import Path
from typing import Any

from autograder.deadline import COURSE, COURSE_KEYS
from autograder.decimals import RULE, number
from autograder.toml import check_known, choice, mistakes_in, parsed, shown

ROUNDINGS = ("half_up", "up", "down")
MOST_DECIMALS = 4


@dataclass(frozen=True)
class GradebookPolicy:
    """What a total is made of.

    Attributes:
        weights: full name of an assignment → its weight; where there are none, each counts the same.
        drop_lowest: how many assignments of a student do not count, those with the lowest percentage.
        bonus_cap: percent of the points possible that bonus can add in one assignment; None for any.
        decimals: of a total, in percent.
        rounding: ``half_up``, ``up`` or ``down``, once, at the end.
    """

    weights: Mapping[str, float] = field(default_factory=dict)
    drop_lowest: int = 0
    bonus_cap: float | None = None
    decimals: int = 2
    rounding: str = ROUNDINGS[0]

    def weight(self, assignment: str) -> Fraction:
        return Fraction(str(self.weights[assignment])) if self.weights else Fraction(1)

    def capped(self, percent: Fraction) -> Fraction:
        """A percentage without the bonus that does not count."""
        return percent if self.bonus_cap is None else min(percent, 100 + Fraction(str(self.bonus_cap)))

    def rounded(self, percent: Fraction) -> Decimal:
        """A total as it is shown."""
        scaled = percent * 10**self.decimals
        whole = {"half_up": floor(scaled + Fraction(1, 2)), "up": ceil(scaled), "down": floor(scaled)}[self.rounding]
        return Decimal(whole).scaleb(-self.decimals)


KEYS = tuple(one.name for one in fields(GradebookPolicy))


def read_policy(root: Path, known: Sequence[str], given: Sequence[str]) -> GradebookPolicy:
    """The rules of the course at ``root``.

    Args:
        known: full names of all assignments of the course.
        given: of those that the gradebook is of.

    Raises:
        CourseError: ``course.toml`` holds a mistake; the message names file and key.
    """
    file = root / "solutions" / COURSE
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return GradebookPolicy()
    with mistakes_in(file):
        settings = parsed(content)
        for key in settings:
            check_known(key, COURSE_KEYS, "setting")
        policy = GradebookPolicy(**_table(settings.get("gradebook", {}), known))
        if policy.weights and (missing := [name for name in given if name not in policy.weights]):
            raise ValueError(f"gradebook.weights has no weight for {missing[0]}; it may be 0")
        if policy.weights and not any(policy.weights[name] for name in given):
            raise ValueError("gradebook.weights gives no weight to any assignment of this gradebook")
        return policy


def _table(given: Any, known: Sequence[str]) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise ValueError(f"gradebook is {shown(given)}, not a table [gradebook]")
    found: dict[str, Any] = {}
    for key, value in given.items():
        check_known(key, KEYS, "setting", "gradebook.")
        name = f"gradebook.{key}"
        match key:
            case "weights":
                found[key] = _weights(value, known)
            case "bonus_cap":
                found[key] = _number(name, value)
            case "drop_lowest":
                found[key] = _whole(name, value, 100)
            case "decimals":
                found[key] = _whole(name, value, MOST_DECIMALS)
            case "rounding":
                found[key] = choice(name, value, ROUNDINGS)
    return found


def _weights(given: Any, known: Sequence[str]) -> dict[str, float]:
    if not isinstance(given, dict) or not given:
        raise ValueError(f"gradebook.weights is {shown(given)}, not a table such as {{ a1 = 40, a2 = 60 }}")
    short = {name.split("_")[0]: name for name in known}
    found: dict[str, float] = {}
    for name, weight in given.items():
        full = name if name in known else short.get(name, "")
        if not full:
            check_known(name, tuple(short), "assignment", "gradebook.weights.")
        if full in found:
            raise ValueError(f"gradebook.weights has two weights for {full}")
        found[full] = _number(f"gradebook.weights.{name}", weight)
    return found


def _number(key: str, value: Any) -> float:
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        try:
            return number(value)
        except ValueError:
            pass
    raise ValueError(f"{key} is {shown(value)}, not a number {RULE}")


def _whole(key: str, value: Any, most: int) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most:
        return value
    raise ValueError(f"{key} is {shown(value)}, not a whole number from 0 to {most}")
