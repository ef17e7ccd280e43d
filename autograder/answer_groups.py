"""Answer groups: the students whose wrong answers to an exercise are equal. Plain results in, groups out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from autograder.results import ExerciseResult, RunRecord, SubmissionResult

Graded = tuple[SubmissionResult, RunRecord]

PREFIX = "group:"  # of what stands for a student in overrides.csv
SHOWN = 8  # characters of a digest that stand for a group


@dataclass(frozen=True)
class AnswerGroup:
    """Students with one wrong answer to ``exercise``, by name.

    Attributes:
        number: within the exercise, 1 for the largest group.
        key: stands for the group in ``overrides.csv``.
        digests: of all members, the most frequent first.
        message: what the first member was told, of the first criterion that is lost.
        misconceptions: that the answers show; empty where none is known.
        nearest: small changes of the reference that answer alike; empty where none is known.
    """

    exercise: str
    number: int
    students: tuple[str, ...]
    digests: tuple[str, ...]
    message: str = ""
    misconceptions: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        return f"{PREFIX}{self.exercise}:{self.digests[0][:SHOWN]}"

    @property
    def size(self) -> int:
        return len(self.students)

    def matches(self, key: str) -> bool:
        """Whether ``key``, as it stands in ``overrides.csv``, means this group."""
        exercise, _, digest = key.removeprefix(PREFIX).rpartition(":")
        return exercise == self.exercise and bool(digest) and any(d.startswith(digest) for d in self.digests)


def answer_groups(graded: Iterable[Graded]) -> list[AnswerGroup]:
    """Every group, in the order of the exercises and then by size; a wrong answer that nobody shares is one of its own.

    Students are in one group if they share a digest, or if a chain of others links them.
    """
    entries: dict[str, dict[str, tuple[ExerciseResult, Sequence[str], Sequence[str]]]] = {}
    for result, record in graded:
        for exercise in result.exercises:
            theirs = entries.setdefault(exercise.name, {})
            if (digests := record.groups.get(exercise.name)) and not result.infrastructure:
                theirs[result.student] = exercise, digests, record.nearest.get(exercise.name, ())
    return [group for exercise, theirs in entries.items() for group in _of_exercise(exercise, theirs)]


def group_of(groups: Iterable[AnswerGroup], exercise: str, student: str) -> AnswerGroup | None:
    """The group in which a student stands, if the answers to the exercise are wrong."""
    return next((group for group in groups if group.exercise == exercise and student in group.students), None)


def _of_exercise(
    name: str, entries: Mapping[str, tuple[ExerciseResult, Sequence[str], Sequence[str]]]
) -> Iterator[AnswerGroup]:
    linked = _linked({student: digests for student, (_, digests, _) in entries.items()})
    for number, students in enumerate(sorted(linked, key=lambda members: (-len(members), members)), 1):
        counts = Counter(digest for student in students for digest in entries[student][1])
        exercise, _, nearest = entries[students[0]]
        lost = [criterion for criterion in exercise.criteria if not criterion.passed]
        yield AnswerGroup(
            name,
            number,
            tuple(students),
            tuple(sorted(counts, key=lambda digest: (-counts[digest], digest))),
            lost[0].message if lost else "",
            tuple(dict.fromkeys(wrong for criterion in lost for wrong in criterion.misconceptions)),
            tuple(nearest),
        )


def _linked(digests: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Students in sets that share no digest with each other, by union-find; each sorted."""
    parent = {student: student for student in digests}

    def root(student: str) -> str:
        while parent[student] != student:
            parent[student] = parent[parent[student]]
            student = parent[student]
        return student

    first: dict[str, str] = {}
    for student, own in digests.items():
        for digest in own:
            parent[root(student)] = root(first.setdefault(digest, student))
    found: dict[str, list[str]] = {}
    for student in sorted(digests):
        found.setdefault(root(student), []).append(student)
    return list(found.values())
