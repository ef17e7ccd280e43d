"""When an assignment is due and what a late hand-in costs: ``due``, ``timezone`` and the table ``[late]``.

``course.toml``, which stands beside the assignments, holds what is the same for the whole course. What stands in an
``assignment.toml`` replaces it, key by key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, get_args
from zoneinfo import ZoneInfo

from autograder.toml import check_known, choice, mistakes_in, parsed, shown

COURSE = "course.toml"
COURSE_KEYS = ("timezone", "late", "gradebook", "regrade")  # the last is read by settings
YEARS = range(1971, 9999)  # in which every time is one in any time zone
UNITS = {"hour": timedelta(hours=1), "day": timedelta(days=1)}
PERCENT = "a percentage from 0 to 100, with at most 4 decimals"

Base = Literal["possible", "earned", "cap"]
Attempt = Literal["latest", "first", "latest_before_due"]
BASES: tuple[Base, ...] = get_args(Base)
ATTEMPTS: tuple[Attempt, ...] = get_args(Attempt)


@dataclass(frozen=True)
class LatePolicy:
    """What late time costs.

    Attributes:
        grace: after due, in which nothing is taken; late time is counted from its end.
        unit: ``hour`` or ``day`` (of 24 hours); a unit that has begun counts whole.
        rate: percent for each unit, of the points possible or of the points earned; with the base ``cap``, each unit
            lowers by that many percent of the points possible what can still be reached.
        floor: percent of the points possible below which the rate takes nothing.
        cutoff: after due, from which on a hand-in gets no points.
        days: free days that a student has in the term, and ``max_days`` those for one assignment.
        attempt: which of several hand-ins counts.
    """

    grace: timedelta = timedelta()
    unit: str = ""
    rate: Decimal = Decimal()
    base: Base = "possible"
    floor: Decimal = Decimal()
    cutoff: timedelta | None = None
    days: int = 0
    max_days: int | None = None
    attempt: Attempt = "latest"

    @property
    def charges(self) -> bool:
        """Whether a late hand-in can cost anything."""
        return bool(self.rate) or self.cutoff is not None


@dataclass(frozen=True)
class Deadline:
    """``due`` has an offset. ``timezone`` is that of times written without one, if the settings name it."""

    due: datetime | None = None
    timezone: ZoneInfo | None = None
    policy: LatePolicy = LatePolicy()


LATE_KEYS = tuple(field.name for field in fields(LatePolicy))


def read_deadline(file: Path) -> Deadline:
    """What an ``assignment.toml`` and the ``course.toml`` above it say.

    Raises:
        CourseError: one of them holds a mistake, in these keys or in TOML; the message names file and key.
        OSError: ``file`` cannot be read.
    """
    with mistakes_in(file):
        given = parsed(file.read_bytes())
    return deadline(given, file)


def deadline(given: Mapping[str, Any], file: Path) -> Deadline:
    """As :func:`read_deadline`, of the keys ``given`` in ``file``."""
    timezone, late = _of_course(file.parent.parent / COURSE)
    with mistakes_in(file):
        timezone = _timezone(given["timezone"]) if "timezone" in given else timezone
        own = _late(given.get("late", {}))
        if "days" in own:
            raise ValueError(f"late.days is for the whole term: it belongs into {COURSE}")
        late |= own
        _check_together(late)
        return Deadline(_due(given.get("due"), timezone), timezone, LatePolicy(**late))


def moment(value: date, timezone: ZoneInfo | None) -> datetime:
    """A date as the end of that day, a time without offset as one in ``timezone``.

    Raises:
        ValueError: it has no offset and ``timezone`` is None, or it is not in :data:`YEARS`.
    """
    if value.year not in YEARS:
        raise ValueError(f"{value}, and not in the years {YEARS[0]} to {YEARS[-1]}")
    full = value if isinstance(value, datetime) else datetime.combine(value, time.max)
    if full.tzinfo:
        return full.astimezone(timezone) if timezone else full
    if timezone is None:
        raise ValueError(f'{value}, without an offset such as +02:00: add it, or set timezone = "Europe/Berlin"')
    return full.replace(tzinfo=timezone)


def _of_course(file: Path) -> tuple[ZoneInfo | None, dict[str, Any]]:
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return None, {}
    with mistakes_in(file):
        given = parsed(content)
        for key in given:
            check_known(key, COURSE_KEYS, "setting")
        timezone, late = _timezone(given.get("timezone")), _late(given.get("late", {}))
        _check_together(late)
        return timezone, late


def _due(value: Any, timezone: ZoneInfo | None) -> datetime | None:
    if value is None:
        return None
    if not isinstance(value, date):
        raise ValueError("due is not a date and time such as 2027-04-26T23:59:00+02:00")
    try:
        return moment(value, timezone)
    except ValueError as error:
        where = f" here or in {COURSE}" if value.year in YEARS else ""
        raise ValueError(f"due is {error}{where}") from None


def _timezone(value: Any) -> ZoneInfo | None:
    if value is None:
        return None
    try:
        return ZoneInfo(value)
    except (KeyError, ValueError, TypeError, AttributeError, OSError):
        example = 'the IANA name of a time zone, such as "Europe/Berlin"'
        raise ValueError(f"timezone is {shown(value)}, not {example}") from None


def _late(given: Any) -> dict[str, Any]:
    """The keys of a table ``[late]``, each checked by itself."""
    if not isinstance(given, dict):
        raise ValueError(f"late is {shown(given)}, not a table [late]")
    found: dict[str, Any] = {}
    for key, value in given.items():
        check_known(key, LATE_KEYS, "setting", "late.")
        name = f"late.{key}"
        match key:
            case "grace" | "cutoff":
                found[key] = _duration(name, value)
            case "rate" | "floor":
                found[key] = _percent(name, value)
            case "days" | "max_days":
                found[key] = _count(name, value)
            case "unit":
                found[key] = choice(name, value, UNITS)
            case "base":
                found[key] = choice(name, value, BASES)
            case "attempt":
                found[key] = choice(name, value, ATTEMPTS)
    return found


def _check_together(late: Mapping[str, Any]) -> None:
    """Raises ValueError for keys that contradict each other."""
    for key in ("unit", "base", "floor", "days"):
        if key in late and "rate" not in late:
            raise ValueError(f"late.{key} is set without late.rate: nothing is taken")
    if late.get("rate") and "unit" not in late:
        raise ValueError("late.rate is set without late.unit, which is hour or day")
    if "max_days" in late and "days" not in late:
        raise ValueError(f"late.max_days is set without late.days, the free days of the term in {COURSE}")
    if late.get("max_days", 0) > late.get("days", 0):
        raise ValueError(f"late.max_days is {late['max_days']}, more than late.days, which is {late['days']}")
    if "cutoff" in late:
        grace = late.get("grace", timedelta())
        if late["cutoff"] < grace:
            raise ValueError("late.cutoff is shorter than late.grace")
        if late["cutoff"] < grace + timedelta(days=late.get("max_days", 0)):
            raise ValueError("late.cutoff comes before late.max_days are over")


def _duration(key: str, value: Any) -> timedelta:
    units = ("days", "hours", "minutes")
    if not isinstance(value, dict) or not value:
        raise ValueError(f"{key} is {shown(value)}, not a duration such as {{ hours = 6 }}")
    for unit, number in value.items():
        check_known(unit, units, "unit of time", f"{key}.")
        _count(f"{key}.{unit}", number)
    return timedelta(**value)


def _count(key: str, value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 10_000:
        return value
    raise ValueError(f"{key} is {shown(value)}, not a whole number from 0 to 10000")


def _percent(key: str, value: Any) -> Decimal:
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        exact = Decimal(value)
        if exact.is_finite() and 0 <= exact <= 100 and exact == round(exact, 4):
            return exact
    raise ValueError(f"{key} is {shown(value)}, not {PERCENT}")
