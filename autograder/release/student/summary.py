"""A table of the exercises in Markdown, from the report that ``python -m pytest --junitxml=report.xml`` writes."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

NOT_STARTED = "not started"
LONGEST = 200  # characters of what is said of a failure


class Criterion(NamedTuple):
    """One visible test: what it is worth, and what is said of it where it failed."""

    exercise: str
    name: str
    points: float
    bonus: bool
    passed: bool
    said: str


def criteria(report: Path) -> list[Criterion]:
    """The visible tests in the order in which they ran.

    Raises:
        OSError: there is no report.
        ElementTree.ParseError: it is not complete.
    """
    found = []
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        about = {entry.get("name", ""): entry.get("value", "") for entry in case.iter("property")}
        if "exercise" not in about:  # a file that cannot be read has no criteria
            said = next((child.get("message", "") for child in case), "")
            found.append(Criterion(case.get("name", "?"), "", 0, False, False, said))
            continue
        passed = not any(child.tag in ("failure", "error", "skipped") for child in case)
        points, bonus = float(about["points"]), about["bonus"] == "True"
        found.append(Criterion(about["exercise"], about["criterion"], points, bonus, passed, about.get("said", "")))
    return found


def table(tests: list[Criterion]) -> str:
    """A row an exercise, with what is said of the first failure."""
    exercises: dict[str, list[Criterion]] = {}
    for test in tests:
        exercises.setdefault(test.exercise, []).append(test)
    lines = ["| exercise | points | of | |", "|---|---:|---:|---|"]
    for name, asked in exercises.items():
        bonus = " (bonus)" if asked[0].bonus else ""
        lines.append(f"| `{name}`{bonus} | {_won(asked):.12g} | {_possible(asked):.12g} | {_said(asked)} |")
    expected = _possible([test for test in tests if not test.bonus])
    total = f"**{_won(tests):.12g} of {expected:.12g}** points in the visible tests. Grading uses other inputs."
    return "\n".join([*lines, "", total, ""])


def _won(tests: list[Criterion]) -> float:
    return _possible([test for test in tests if test.passed])


def _possible(tests: list[Criterion]) -> float:
    return sum(test.points for test in tests)


def _said(asked: list[Criterion]) -> str:
    failed = [test for test in asked if not test.passed]
    if not failed:
        return "passed"
    if all(test.said == NOT_STARTED for test in failed) and len(failed) == len(asked):
        return NOT_STARTED
    first = failed[0]
    text = " ".join(re.sub("[`|]", "'", first.said).split())
    text = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    return ": ".join(f"`{part}`" for part in (first.name, text) if part)


def main() -> int:
    try:
        text = table(criteria(Path(sys.argv[1])))
    except (OSError, ElementTree.ParseError):
        text = "The visible tests did not run to their end: the log of the job says why."
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
