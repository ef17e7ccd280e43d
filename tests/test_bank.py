"""The bank of assignment 1 against its hidden cases: every mistake costs points where it was made, nothing right does.

A misconception is a patch of one exercise of the reference. Several that have nothing to do with one another are
graded as one submission: no exercise patched there calls another, at any depth. So an exercise that fails does so for
its own patch. A patch that disturbed the whole module would make bystanders fail, which is a failure here too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from autograder.course import Alternative, Assignment, Misconception, load
from autograder.judge import Judge
from autograder.patch import apply, definition
from autograder.results import SubmissionResult
from autograder.sandbox.isolation import choose
from autograder.submission import Submission

A1 = load("a1", Path(__file__).parent.parent)
PART = {exercise.name: exercise.part for exercise in A1.exercises}

Change = Misconception | Alternative
Graded = dict[str, tuple[Sequence[Change], SubmissionResult]]


def called(assignment: Assignment) -> dict[str, set[str]]:
    """Exercise → the exercises that its reference calls, itself or through what it calls."""
    names = {
        node.name: {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} - {node.name}
        for source in assignment.references.values()
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }

    def reached(name: str) -> set[str]:
        direct = names[name] & names.keys()
        return direct.union(*map(reached, direct))

    return {exercise.name: reached(exercise.name) & PART.keys() for exercise in assignment.exercises}


CALLS = called(A1)


def builds_on(exercise: str) -> set[str]:
    """The exercises that may fail when this one does."""
    declared = {e.name for e in A1.exercises if exercise in e.needs}
    return declared | {name for name, calls in CALLS.items() if exercise in calls}


def related(one: str, other: str) -> bool:
    return one == other or one in builds_on(other) or other in builds_on(one)


def packed(changes: Iterable[Change]) -> list[list[Change]]:
    """Changes by submission: each goes into the first in which its exercise is related to no other."""
    packs: list[list[Change]] = []
    for change in changes:
        for pack in packs:
            if not any(related(change.exercise, other.exercise) for other in pack):
                pack.append(change)
                break
        else:
            packs.append([change])
    return packs


def submission(changes: Iterable[Change]) -> Submission:
    """The reference with all changes made, in memory."""
    sources = dict(A1.references)
    for change in changes:
        sources[PART[change.exercise]] = apply(sources[PART[change.exercise]], change)
    return Submission("bank", {part: {f"{part}.py": source} for part, source in sources.items()}, ())


def named(changes: Sequence[Change]) -> list[Any]:
    return [pytest.param(change, id=f"{change.exercise}-{change.name}") for change in changes]


@pytest.fixture(scope="module", params=["one seed", "another seed"])
def graded(request: pytest.FixtureRequest) -> Graded:
    """The name of each change → all changes of the submission that it was graded in, and the result."""
    judge = Judge(A1, request.param, choose())
    try:
        packs = packed(A1.misconceptions) + packed(A1.alternatives)
        results = [(pack, judge.grade(submission(pack))[0]) for pack in packs]
    finally:
        judge.close()
    return {change.name: (pack, result) for pack, result in results for change in pack}


def lost(result: SubmissionResult) -> dict[str, list[str]]:
    """Exercise → the criteria that failed, for exercises without full marks."""
    assert not result.infrastructure
    failed = {e.name: [c.name for c in e.criteria if not c.passed] for e in result.exercises}
    return {name: criteria for name, criteria in failed.items() if criteria}


@pytest.mark.parametrize("wrong", named(A1.misconceptions))
def test_a_misconception_loses_points_in_its_own_exercise_and_nowhere_else(
    wrong: Misconception, graded: Graded
) -> None:
    pack, result = graded[wrong.name]
    allowed = {change.exercise for change in pack}.union(*(builds_on(change.exercise) for change in pack))
    assert wrong.exercise in lost(result)
    assert lost(result).keys() <= allowed


@pytest.mark.parametrize("right", named(A1.alternatives))
def test_an_alternative_keeps_full_marks(right: Alternative, graded: Graded) -> None:
    _, result = graded[right.name]
    assert lost(result) == {}


@pytest.mark.parametrize("change", named([*A1.misconceptions, *A1.alternatives]))
def test_a_change_applies_and_can_be_compiled(change: Change) -> None:
    reference = A1.references[PART[change.exercise]]
    changed = apply(reference, change)  # raises unless the old text stands exactly once
    compile(changed, change.name, "exec")
    before, after = (ast.parse(definition(source, change.exercise)) for source in (reference, changed))
    assert ast.dump(after) != ast.dump(before)


def test_no_two_changes_share_a_name_or_a_patch() -> None:
    changes: list[Change] = [*A1.misconceptions, *A1.alternatives]
    assert len({change.name for change in changes}) == len(changes)
    assert len({(wrong.exercise, wrong.old, wrong.new) for wrong in A1.misconceptions}) == len(A1.misconceptions)
    assert len({right.source for right in A1.alternatives}) == len(A1.alternatives)


def test_the_bank_is_large_enough_and_covers_every_exercise() -> None:
    assert len(A1.misconceptions) >= 45
    assert len(A1.alternatives) >= 20
    assert {wrong.exercise for wrong in A1.misconceptions} == PART.keys()


@pytest.mark.parametrize("wrong", named(A1.misconceptions))
def test_a_sentence_explains_and_does_not_give_the_answer(wrong: Misconception) -> None:
    assert wrong.sentence.endswith(".")
    assert len(wrong.sentence) <= 200
    assert not set("`[]{}=*_@\n") & set(wrong.sentence)  # words, not code
    tree = ast.parse(definition(A1.references[PART[wrong.exercise]], wrong.exercise))
    code = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.BinOp | ast.Call | ast.Compare)}
    assert not [piece for piece in code if piece in wrong.sentence]


@pytest.mark.parametrize("right", named(A1.alternatives))
def test_a_rule_is_a_clause(right: Alternative) -> None:
    assert right.rule[0].islower()
    assert not right.rule.endswith(".")
