"""What changed between two gradings of a class: whose grade, in which criteria, and what it can be due to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from autograder.decimals import points
from autograder.results import ExerciseResult, RunRecord, SubmissionResult
from autograder.text import one_line

CAUSES = {"submission": "another submission", "grader": "another course or grader", "seed": "another seed"}


@dataclass(frozen=True)
class Change:
    """One student whose points differ; ``old`` or ``new`` is None where one grading lacks the student."""

    student: str
    old: float | None
    new: float | None
    causes: tuple[str, ...]
    details: tuple[str, ...]


def changes(
    old: Sequence[tuple[SubmissionResult, RunRecord]], new: Sequence[tuple[SubmissionResult, RunRecord]]
) -> list[Change]:
    """Every student with a changed criterion, override, late penalty or presence, by name."""
    before, after = ({result.student: (result, record) for result, record in graded} for graded in (old, new))
    return [
        change
        for student in sorted(before.keys() | after.keys())
        if (change := _change(student, before.get(student), after.get(student)))
    ]


def changes_text(found: Sequence[Change], total: int) -> str:
    """The changes for a terminal: a line for each student, below it one for each criterion."""
    lines = []
    for change in found:
        old, new = (points(p) if p is not None else "absent" for p in (change.old, change.new))
        causes = f" ({', '.join(change.causes)})" if change.causes else ""
        lines.append(f"{one_line(change.student)}: {old} -> {new}{causes}")
        lines += [f"    {one_line(detail)}" for detail in change.details]
    return "\n".join([*lines, f"{len(found)} of {total} grades changed."])


def _change(
    student: str, old: tuple[SubmissionResult, RunRecord] | None, new: tuple[SubmissionResult, RunRecord] | None
) -> Change | None:
    if old is None or new is None:
        return Change(student, old and old[0].score, new and new[0].score, (), ())
    exercises = {e.name: e for e in old[0].exercises}
    details = (*(line for e in new[0].exercises for line in _details(exercises.get(e.name), e)), *_late(old[0], new[0]))
    if not details and old[0].score == new[0].score:
        return None
    causes = [text for name, text in CAUSES.items() if old[1].key.get(name) != new[1].key.get(name)]
    if any(e.override != exercises[e.name].override for e in new[0].exercises if e.name in exercises):
        causes.append("overrides.csv")
    if old[0].points_off != new[0].points_off:
        causes.append("late rules")
    return Change(student, old[0].score, new[0].score, tuple(causes), details)


def _details(old: ExerciseResult | None, new: ExerciseResult) -> Iterator[str]:
    passed = {c.name: c.passed for c in old.criteria} if old else {}
    for criterion in new.criteria:
        before = passed.get(criterion.name)
        if before != criterion.passed:
            was = {True: "passed", False: "failed", None: "absent"}[before]
            now = "passed" if criterion.passed else f"failed: {criterion.message}"
            yield f"{new.name} {criterion.name}: {was} -> {now}"
    if old and old.override != new.override:
        yield f"{new.name}: {points(old.points)} -> {points(new.points)} points by hand ({new.reason or 'no reason'})"


def _late(old: SubmissionResult, new: SubmissionResult) -> Iterator[str]:
    if old.points_off != new.points_off:
        yield f"late: -{points(old.points_off)} -> -{points(new.points_off)} points"
