"""What changed between two gradings of a class: whose grade, in which criteria, and what it can be due to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from autograder.decimals import points
from autograder.results import ExerciseResult, RunRecord, SubmissionResult
from autograder.text import one_line

CAUSES = {"submission": "another submission", "grader": "another course or grader", "seed": "another seed"}


ABSENT, NOT_GRADED = "absent", "not graded"


@dataclass(frozen=True)
class Change:
    """One student whose points differ, or who has none in either grading; ``old`` and ``new`` are points, or say why
    there are none: :data:`ABSENT` or :data:`NOT_GRADED`.
    """

    student: str
    old: float | str
    new: float | str
    causes: tuple[str, ...] = ()
    details: tuple[str, ...] = ()

    @property
    def without_grade(self) -> bool:
        """Whether there is no grade in either."""
        return isinstance(self.old, str) and isinstance(self.new, str)


def changes(
    old: Sequence[tuple[SubmissionResult, RunRecord]], new: Sequence[tuple[SubmissionResult, RunRecord]]
) -> list[Change]:
    """Every student with a changed criterion, override, late penalty or presence, and every one without a grade, by
    name.
    """
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
        old, new = (p if isinstance(p, str) else points(p) for p in (change.old, change.new))
        causes = f" ({', '.join(change.causes)})" if change.causes else ""
        lines.append(f"{one_line(change.student)}: {old} -> {new}{causes}")
        lines += [f"    {one_line(detail)}" for detail in change.details]
    without = sum(change.without_grade for change in found)
    lines.append(f"{len(found) - without} of {total} grades changed.")
    if without:
        lines[-1] += f" {without} without a grade in either."
    return "\n".join(lines)


def _change(
    student: str, old: tuple[SubmissionResult, RunRecord] | None, new: tuple[SubmissionResult, RunRecord] | None
) -> Change | None:
    before, after = _points(old), _points(new)
    if old is None or new is None or isinstance(before, str) or isinstance(after, str):
        return Change(student, before, after, details=(*_reason("before", old), *_reason("now", new)))
    exercises = {e.name: e for e in old[0].exercises}
    details = (
        *(line for e in new[0].exercises for line in _details(exercises.get(e.name), e)),
        *_as_a_whole(old[0], new[0]),
    )
    if not details and old[0].score == new[0].score:
        return None
    causes = [text for name, text in CAUSES.items() if old[1].key.get(name) != new[1].key.get(name)]
    by_hand = (e.override != exercises[e.name].override for e in new[0].exercises if e.name in exercises)
    if old[0].override != new[0].override or any(by_hand):
        causes.append("overrides.csv")
    if _voided(old[0]) != _voided(new[0]):
        causes.append("void")
    if old[0].points_off != new[0].points_off:
        causes.append("late rules")
    return Change(student, before, after, tuple(causes), details)


def _points(graded: tuple[SubmissionResult, RunRecord] | None) -> float | str:
    if graded is None:
        return ABSENT
    return NOT_GRADED if graded[0].infrastructure else graded[0].score


def _reason(when: str, graded: tuple[SubmissionResult, RunRecord] | None) -> Iterator[str]:
    if graded and graded[0].infrastructure:
        yield f"not graded {when}: {graded[0].infrastructure}"


def _voided(result: SubmissionResult) -> dict[tuple[str, str], str]:
    return {(e.name, c.name): c.void for e in result.exercises for c in e.criteria if c.void}


def _details(old: ExerciseResult | None, new: ExerciseResult) -> Iterator[str]:
    passed = {c.name: c.passed for c in old.criteria} if old else {}
    for criterion in new.criteria:
        before = passed.get(criterion.name)
        if before != criterion.passed:
            was = {True: "passed", False: "failed", None: "absent"}[before]
            now = "passed" if criterion.passed else f"failed: {criterion.message}"
            yield f"{new.name} {criterion.name}: {was} -> {now}"
    voided = {c.name: c.void for c in old.criteria} if old else {}
    for criterion in new.criteria:
        if criterion.void != voided.get(criterion.name, ""):
            now = f"counts in full for everyone ({criterion.void})" if criterion.void else "is no longer void"
            yield f"{new.name} {criterion.name}: {now}"
    if old and old.override != new.override:
        yield f"{new.name}: {points(old.points)} -> {points(new.points)} points by hand ({new.reason or 'no reason'})"


def _as_a_whole(old: SubmissionResult, new: SubmissionResult) -> Iterator[str]:
    if old.override != new.override:
        why = f"points by hand ({new.reason or 'no reason'})"
        yield f"all exercises: {points(old.raw_score)} -> {points(new.raw_score)} {why}"
    if old.points_off != new.points_off:
        yield f"late: -{points(old.points_off)} -> -{points(new.points_off)} points"
