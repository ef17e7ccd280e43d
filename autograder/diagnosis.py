"""Which known misconception a wrong answer shows: the one whose patch of the reference gives the same outputs.

A match is asked for wherever the misconception is visible, and nothing else may match: it is a finding, not a guess.
"""

from __future__ import annotations

from collections.abc import Mapping

from autograder.compare import close
from autograder.course import Case, Criterion, Exercise, Inputs, Misconception
from autograder.outcome import Outcome, Raised, Value

Outcomes = Mapping[Case, Outcome]

SILENT = {"slow"}  # kinds of failure that say nothing about what was computed


def diagnose(
    exercise: Exercise,
    inputs: Mapping[Case, Inputs],
    got: Outcomes,
    expected: Outcomes,
    bank: Mapping[Misconception, Outcomes],
) -> dict[str, Misconception]:
    """Criterion → the misconception that explains its failure.

    A misconception explains an answer if both agree, case by case, on every criterion where the misconception is
    visible; a smaller explanation yields to one that covers the same criteria and more. Two that remain for one
    criterion explain nothing.

    Args:
        inputs, got, expected: of every case of ``exercise``: what was asked, answered, and right.
        bank: what each misconception of ``exercise`` answers.
    """
    explained: dict[Misconception, frozenset[str]] = {}
    for wrong, outcomes in bank.items():
        visible = [c for c in exercise.criteria if _fails(c, inputs, outcomes, expected)]
        cases = [(criterion, case) for criterion in visible for case in criterion.cases]
        shows = any(
            isinstance(outcomes[case], Value) and criterion.failure(inputs[case], outcomes[case], expected[case])
            for criterion, case in cases
        )  # the name of an exception alone says too little
        if shows and all(
            _agree(criterion, inputs[case], got[case], outcomes[case], expected[case]) for criterion, case in cases
        ):
            explained[wrong] = frozenset(criterion.name for criterion in visible)
    found = {}
    for criterion in exercise.criteria:
        candidates = {wrong: names for wrong, names in explained.items() if criterion.name in names}
        largest = [w for w, names in candidates.items() if not any(names < other for other in candidates.values())]
        if len(largest) == 1:
            found[criterion.name] = largest[0]
    return found


def _fails(criterion: Criterion, inputs: Mapping[Case, Inputs], got: Outcomes, expected: Outcomes) -> bool:
    return any(criterion.failure(inputs[case], got[case], expected[case]) for case in criterion.cases)


def _agree(criterion: Criterion, given: Inputs, got: Outcome, wrong: Outcome, right: Outcome) -> bool:
    """Whether an answer is as right, or wrong in the same way, as that of a misconception."""
    mine, theirs = (criterion.failure(given, outcome, right) for outcome in (got, wrong))
    if mine is None or theirs is None:
        return mine is theirs
    if theirs.kind in SILENT:
        return False
    if not (isinstance(got, Value) and isinstance(wrong, Value)):
        return isinstance(got, Raised) and isinstance(wrong, Raised) and got.name == wrong.name
    if theirs.kind == "changed":
        return mine.kind == "changed"
    if "dtype" in (mine.kind, theirs.kind) and mine != theirs:
        return False
    same = close()(given, got, wrong) is None
    return same or (theirs.kind != "no error" and criterion.failure(given, got, wrong, right) is None)
