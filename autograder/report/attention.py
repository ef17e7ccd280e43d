"""What needs a teacher's attention in a class: one list, first what can still be mended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from autograder.collect.entry import HandIn
from autograder.deadline import Deadline
from autograder.results import ABSENT, AttentionKind, SubmissionResult

NoticeKind = Literal[
    "not graded",
    "no points for a technical reason",
    "nothing handed in",
    "several candidates",
    "several attempts",
    "marked late and not charged",
    "late by minutes",
    "repaired",
]
NOTHING_DUE = Deadline()
KINDS: tuple[NoticeKind, ...] = get_args(NoticeKind)
# What to do about all of a kind
ADVICE: Mapping[NoticeKind, str] = {
    "marked late and not charged": (
        "Late rules go by due and by the platform’s time. Where due is missing, set it in assignment.toml; where the "
        "time is, decide by hand: a row of overrides.csv with * as exercise sets a student’s points. Then run report."
    ),
}
TECHNICAL: Mapping[AttentionKind, NoticeKind] = {
    "refused": "no points for a technical reason",
    "not imported": "no points for a technical reason",
    "chosen": "several candidates",
    "repaired": "repaired",
    "left out": "repaired",
    "read as": "repaired",
}


@dataclass(frozen=True)
class Notice:
    """A reason to look at one student's submission; ``sentence`` is for teachers."""

    student: str
    kind: NoticeKind
    sentence: str


def needs_attention(
    results: Sequence[SubmissionResult], hand_ins: Mapping[str, HandIn], deadline: Deadline = NOTHING_DUE
) -> tuple[Notice, ...]:
    """Every notice on a class, in the order of :data:`KINDS`; within a kind those without any points first, by name.

    Args:
        hand_ins: student → the facts of the hand-in; students may be missing.
        deadline: of the assignment, with its late rules.
    """
    found = [
        (notice, result) for result in results for notice in _notices(result, hand_ins.get(result.student), deadline)
    ]
    found.sort(key=lambda one: (KINDS.index(one[0].kind), one[1].raw_score > 0, one[0].student))
    return tuple(notice for notice, _ in found)


def _notices(result: SubmissionResult, hand_in: HandIn | None, deadline: Deadline) -> Iterator[Notice]:
    if result.infrastructure:
        yield Notice(result.student, "not graded", result.infrastructure)
        return
    technical = [Notice(result.student, TECHNICAL[one.kind], one.sentence) for one in result.attention]
    if (hand_in and hand_in.absent) or (not technical and _empty(result)):
        yield Notice(result.student, "nothing handed in", " ".join(result.notes) or "Nothing was handed in.")
        return
    yield from technical
    if hand_in and (hand_in.attempt or 1) > 1:
        yield Notice(result.student, "several attempts", f"Attempt {hand_in.attempt} was graded.")
    uncharged = deadline.policy.charges and hand_in and hand_in.late and not (hand_in.handed_in and deadline.due)
    if uncharged and result.late and result.override is None:
        yield Notice(result.student, "marked late and not charged", result.late.sentence)
    if result.late and result.late.close:
        yield Notice(result.student, "late by minutes", result.late.sentence)


def _empty(result: SubmissionResult) -> bool:
    return bool(result.exercises) and all(exercise.status in ABSENT for exercise in result.exercises)
