"""The pages: feedback for each student, and the class for its teachers.

Every page is complete in one file, needs no network and no script, and carries a policy that lets nothing else run.
Whatever is written into a page is first made printable and then escaped.
"""

from __future__ import annotations

import base64
import hashlib
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from autograder.answer_groups import AnswerGroup
from autograder.decimals import points
from autograder.folders import folder_name
from autograder.report.attention import ADVICE, Notice
from autograder.report.summary import ClassSummary, Credit, credit
from autograder.report.text import percent
from autograder.results import ExerciseResult, RunRecord, SubmissionResult
from autograder.text import printable

# Where an exercise stands in the feedback, first what there is to do
SECTIONS: dict[Credit, str] = {
    "partial": "To look at first",
    "none": "To look at first",
    "not started": "Not started",
    "not handed in": "Not handed in",
    "not read": "Not read",
    "full": "Passed",
}
# Exercises without an answer: what stands in the place of their points
SIGNS: dict[Credit, str] = {"not started": "·", "not handed in": "–", "not read": "?"}
TEMPLATES = Path(__file__).parent / "templates"
BINS = 10
MESSAGES = 15
IDEAS = 5
DIGITS = 8  # of the fingerprints of grader and seed


def feedback_html(result: SubmissionResult) -> str:
    """What one student reads: the score, every exercise, every criterion and its message.

    Why the grader failed, if it did, is left out: that sentence is written for staff.
    """
    parts: dict[str, list[ExerciseResult]] = {}
    sections: dict[str, list[tuple[int, ExerciseResult]]] = {title: [] for title in SECTIONS.values()}
    for number, exercise in enumerate(result.exercises, 1):  # what an exercise calls stands before it
        parts.setdefault(exercise.part, []).append(exercise)
        sections[SECTIONS[credit(exercise)]].append((number, exercise))
    passed = sum(exercise.status == "passed" for exercise in result.exercises)
    page = ENVIRONMENT.get_template("feedback.html.j2")
    return page.render(result=result, parts=parts, sections=sections, passed=passed, folded=SECTIONS["full"])


def class_html(
    results: Sequence[SubmissionResult],
    records: Mapping[str, RunRecord],
    run: Mapping[str, Any],
    notices: Sequence[Notice] = (),
    groups: Sequence[AnswerGroup] = (),
    sentences: Mapping[tuple[str, str], str] = MappingProxyType({}),
    *,
    people: Mapping[str, str] = MappingProxyType({}),
    anonymous: bool = False,
) -> Iterator[str]:
    """What teachers read: how the class did and what it did not understand, then exercises, groups and students.

    The page comes in pieces: joined, that of a large class is by far the most that its report would hold in memory.

    Args:
        records: student → what grading cost; students may be missing.
        run: facts about the run as a whole, shown as they are: labels, and numbers, strings, lists or mappings.
        notices: what needs attention, in that order.
        groups: students whose wrong answers are equal.
        sentences: (exercise, misconception) → what a teacher says of it; names may be missing.
        people: student → name, where it is known.
        anonymous: whether it is for showing in class: without links, and without what would give a solution away.
    """
    summary = ClassSummary(tuple(results))
    found = {result.student: records[result.student] for result in results if result.student in records}
    return ENVIRONMENT.get_template("report.html.j2").generate(
        summary=summary,
        histogram=_histogram(summary),
        signs=SIGNS,
        counted=[kind for kind in SIGNS if kind != "not read" or any(e.count(kind) for e in summary.exercises)],
        messages=summary.messages(MESSAGES),
        ideas=[(failure, sentences.get((failure.exercise, failure.what), "")) for failure in summary.misconceptions],
        first_ideas=IDEAS,
        groups=[group for group in groups if len(group.students) > 1],
        single=sum(len(group.students) == 1 for group in groups),
        sentences=sentences,
        anonymous=anonymous,
        nearest=summary.shared({student: record.nearest for student, record in found.items()}),
        notices={kind: list(group) for kind, group in groupby(notices, attrgetter("kind"))},
        advice=ADVICE,
        records=found,
        people=people,
        costs=_costs(list(found.values())),
        isolation=Counter(_describe(record.isolation) for record in found.values() if record.isolation),
        fingerprints={name: _fingerprints(name, found.values()) for name in ("grader", "seed")},
        run={label.replace("_", " "): _describe(value) for label, value in run.items()},
        links={
            result.student: f"{quote(folder_name(result.student), safe='')}/feedback.html"
            for result in (() if anonymous else results)
        },
        script_hash=script_hash(),
    )


def script_hash() -> str:
    """By which a page's policy knows the one script that may run, ``sort.js``."""
    script = (TEMPLATES / "sort.js").read_text(encoding="utf-8")
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _histogram(summary: ClassSummary) -> dict[str, Any]:
    """How many scores fall into each tenth of the points; the last bin also takes full marks and bonus."""
    counts = [0] * BINS
    for score in summary.scores if summary.max_score else ():
        counts[min(int(BINS * score / summary.max_score + 1e-9), BINS - 1)] += 1
    step = -(-max(counts) // 4) or 1
    return {
        "counts": counts,
        "edges": [summary.max_score * edge / BINS for edge in range(BINS + 1)],
        "above": any(score > summary.max_score for score in summary.scores),
        "ticks": [*range(0, max(counts) + step, step)],
    }


def _costs(records: Sequence[RunRecord]) -> list[tuple[str, float, float, float]]:
    """What each clock measured, in seconds: label, median, maximum and sum over the submissions."""
    clocks = {
        "student's code, CPU": [record.student_cpu for record in records],
        "grader, CPU": [record.grader_cpu for record in records],
        "wall clock": [record.wall for record in records],
    }
    return [(label, statistics.median(s), max(s), sum(s)) for label, s in clocks.items() if s]


def _fingerprints(name: str, records: Iterable[RunRecord]) -> Counter[str]:
    """How many submissions were graded by which version of the grader, or under which seed."""
    return Counter(record.key[name][:DIGITS] for record in records if name in record.key)


def _describe(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{label}: {_describe(item)}" for label, item in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_describe(item) for item in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return points(round(value, 2)) if isinstance(value, float) else str(value)


def _fifths(exercise: ExerciseResult) -> int:
    """Which of the shades 0 (nothing) to 5 (all) the points of an exercise get."""
    if not exercise.max_points or exercise.points <= 0:
        return 0
    return max(1, int(5 * exercise.points / exercise.max_points))


ENVIRONMENT = Environment(
    loader=FileSystemLoader(TEMPLATES),
    autoescape=True,
    finalize=lambda value: value if hasattr(value, "__html__") or not isinstance(value, str) else printable(value),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)
ENVIRONMENT.filters |= {"points": points, "percent": percent, "credit": credit, "fifths": _fifths}
