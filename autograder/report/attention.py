"""What needs a teacher's attention in a class: one list, first what can still be mended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from autograder.collect.entry import HandIn
from autograder.results import AttentionKind, SubmissionResult

NoticeKind = Literal[
    "not graded",
    "no points for a technical reason",
    "nothing handed in",
    "several candidates",
    "several attempts",
    "late by minutes",
    "repaired",
]
KINDS: tuple[NoticeKind, ...] = get_args(NoticeKind)
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


def needs_attention(results: Sequence[SubmissionResult], hand_ins: Mapping[str, HandIn]) -> tuple[Notice, ...]:
    """Every notice on a class, in the order of :data:`KINDS`; within a kind those without any points first, by name.

    Args:
        hand_ins: student → the facts of the hand-in; students may be missing.
    """
    found = [(notice, result) for result in results for notice in _notices(result, hand_ins.get(result.student))]
    found.sort(key=lambda one: (KINDS.index(one[0].kind), one[1].raw_score > 0, one[0].student))
    return tuple(notice for notice, _ in found)


def _notices(result: SubmissionResult, hand_in: HandIn | None) -> Iterator[Notice]:
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
    if result.late and result.late.close:
        yield Notice(result.student, "late by minutes", result.late.sentence)


def _empty(result: SubmissionResult) -> bool:
    return bool(result.exercises) and all(exercise.status == "not handed in" for exercise in result.exercises)
