"""Which known misconception a wrong answer shows: the one whose patch of the reference gives the same outputs.

A diagnosis explains an exercise, not a criterion: a misconception has to match wherever it is visible, nothing else may
match there, the names together have to account for every failure, and the outputs must hold enough to tell one mistake
from another.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, islice
from math import lgamma, log, log2
from typing import Any, TypeVar

import numpy as np

from autograder.compare import Failure, close
from autograder.course import Case, Criterion, Exercise, Inputs, Misconception
from autograder.outcome import Outcome, Raised, Value

Outcomes = Mapping[Case, Outcome]
Name = TypeVar("Name", bound=Hashable)

SILENT = {"slow"}  # kinds of failure that say nothing about what was computed
# Kinds that need no name beside another failure's
APART = SILENT | {"time", "budget", "answers", "waiting", "changed", "dtype"}
ENOUGH = 3.0  # bits of evidence: fewer, and other mistakes of the same kind answer alike
PAIRS = 30  # of misconceptions of one exercise, made at once
FRACTION, WHOLE = 16.0, 1.0  # bits of a number that only the mistake returns


def diagnose(
    exercise: Exercise,
    inputs: Mapping[Case, Inputs],
    got: Outcomes,
    expected: Outcomes,
    bank: Mapping[Misconception, Outcomes],
) -> dict[str, Misconception]:
    """Criterion → the misconception that explains its failure.

    A misconception explains an answer if both agree, case by case, on every criterion where the misconception is
    visible, and if its outputs are worth ``ENOUGH`` bits; a smaller explanation yields to one that covers the same
    criteria and more. Two that remain for one criterion are not named there. If a failing criterion is left that none
    of the names explains, nothing is named at all, unless it fails for nothing but its time, the dtype, or an argument
    that was written to: those can come on top of any mistake, and their messages say what is wrong.

    Args:
        inputs, got, expected: of every case of ``exercise``: what was asked, answered, and right.
        bank: what each misconception of ``exercise`` answers.
    """
    signatures = {
        wrong: shown for wrong, outcomes in bank.items() if (shown := signature(exercise, inputs, outcomes, expected))
    }
    found = explanations(exercise, inputs, got, expected, signatures, lambda wrong: wrong)
    return {criterion: wrong for criterion, [wrong] in found.items()}


def pairs(
    exercise: Exercise,
    inputs: Mapping[Case, Inputs],
    got: Outcomes,
    expected: Outcomes,
    bank: Mapping[Misconception, Outcomes],
) -> list[frozenset[Misconception]]:
    """Two misconceptions that may have been made at once: the answers fail wherever one of them is visible, and nowhere
    else. No more than ``PAIRS``, in the order of the bank.
    """
    owed = _owed(_failures(exercise, inputs, got, expected))
    visible = {wrong: set(_failures(exercise, inputs, outcomes, expected)) for wrong, outcomes in bank.items()}
    possible = [wrong for wrong, where in visible.items() if where and where <= owed]
    both = (pair for pair in combinations(possible, 2) if visible[pair[0]] | visible[pair[1]] == owed)
    return [frozenset(pair) for pair in islice(both, PAIRS)]


def diagnose_pair(
    exercise: Exercise,
    inputs: Mapping[Case, Inputs],
    got: Outcomes,
    expected: Outcomes,
    known: Mapping[frozenset[Misconception], Outcomes],
) -> dict[str, frozenset[Misconception]]:
    """Criterion → the two misconceptions that explain its failure, by the rule of :func:`diagnose`.

    Among n pairs one agrees by chance n times as easily: their answers must be worth log2(n) bits more.

    Args:
        inputs, got, expected: as in :func:`diagnose`.
        known: what each of :func:`pairs` answers.
    """
    enough = ENOUGH + log2(max(1, len(known)))
    signatures = {
        pair: shown
        for pair, outcomes in known.items()
        if (shown := signature(exercise, inputs, outcomes, expected, enough))
    }
    found = explanations(exercise, inputs, got, expected, signatures, lambda pair: pair)
    return {criterion: pair for criterion, [pair] in found.items()}


@dataclass(frozen=True)
class Signature:
    """What a mistake answers that can explain an answer, and why that is wrong.

    ``failures`` are those of the criteria where the mistake is visible, each with every case that fails.
    """

    outcomes: Outcomes
    failures: Mapping[str, Mapping[Case, Failure]]


def signature(
    exercise: Exercise,
    inputs: Mapping[Case, Inputs],
    outcomes: Outcomes,
    expected: Outcomes,
    enough: float = ENOUGH,
) -> Signature | None:
    """The signature of a mistake with these outcomes; None where they are too little to know it by."""
    failures = _failures(exercise, inputs, outcomes, expected)
    shows = any(isinstance(outcomes[case], Value) for failed in failures.values() for case in failed)
    # the name of an exception alone says too little
    return Signature(outcomes, failures) if shows and evidence(exercise, inputs, outcomes, expected) >= enough else None


def explanations(
    exercise: Exercise,
    inputs: Mapping[Case, Inputs],
    got: Outcomes,
    expected: Outcomes,
    signatures: Mapping[Name, Signature],
    kind: Callable[[Name], object],
) -> dict[str, list[Name]]:
    """Criterion → the mistakes that explain its failure, by the rule of :func:`diagnose`.

    Several may remain for one criterion if they are of one ``kind``.
    """
    mine = _failures(exercise, inputs, got, expected)
    explained = {
        name: frozenset(known.failures)
        for name, known in signatures.items()
        if _explains(known, exercise, inputs, got, expected, mine)
    }
    found = {}
    for criterion in exercise.criteria:
        candidates = {name: visible for name, visible in explained.items() if criterion.name in visible}
        largest = [n for n, visible in candidates.items() if not any(visible < other for other in candidates.values())]
        if len({kind(name) for name in largest}) == 1:
            found[criterion.name] = largest
    accounted = {criterion for names in found.values() for name in names for criterion in explained[name]}
    return found if _owed(mine) <= accounted else {}


def evidence(exercise: Exercise, inputs: Mapping[Case, Inputs], wrong: Outcomes, expected: Outcomes) -> float:
    """Bits by which the outcomes of a mistake can be told from those of others.

    Which of n answers are wrong, k of them, is worth log2(n) for the number and log2(C(n, k)) for the choice. A case is
    one of the n, and where it fails each array of its answer is; an array with wrong elements is as many as it has
    elements, unless all of them are the same wrong value. A number that the mistake puts in place of a right one counts
    on top, once. That an argument was written to is worth nothing: nobody knows which, nor what was written.
    """
    answers = mistaken = 0
    numbers: set[float] = set()
    for case in exercise.cases():
        failures = (c.failure(inputs[case], wrong[case], expected[case]) for c in exercise.criteria if case in c.cases)
        if not any(failure.kind != "changed" for failure in failures if failure):
            answers += 1
            continue
        differing = list(_differing(wrong[case], expected[case]))
        if not any(differs.any() for _, differs in differing):  # an exception, a dtype, a time: one observation
            answers, mistaken = answers + 1, mistaken + 1
            continue
        for array, differs in differing:
            one = not differs.any() or (differs.all() and bool((array == array.flat[0]).all()))
            answers += 1 if one else differs.size
            mistaken += int(differs.any()) if one else int(differs.sum())
            if array.dtype != bool:
                numbers.update(array[differs & np.isfinite(array)].tolist())
    if not mistaken:
        return 0.0
    choices = lgamma(answers + 1) - lgamma(mistaken + 1) - lgamma(answers - mistaken + 1)  # log C(n, k)
    pattern = log2(answers) + choices / log(2)
    return pattern + sum(WHOLE if float(number).is_integer() else FRACTION for number in numbers)


def _differing(wrong: Outcome, right: Outcome) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Each array of an answer, and where it differs from the right one: everywhere, if one array has another shape."""
    mine, theirs = (list(_arrays(o.tree)) if isinstance(o, Value) else [] for o in (wrong, right))
    alike = [array.shape for array in mine] == [array.shape for array in theirs]
    for number, array in enumerate(mine):
        everywhere = np.ones(array.shape, bool)
        yield array, ~np.isclose(array, theirs[number], rtol=1e-6, atol=0, equal_nan=True) if alike else everywhere


def _arrays(tree: Any) -> Iterator[np.ndarray]:
    """The real numbers and truth values of an answer, in order."""
    if isinstance(tree, dict | list | tuple):
        for item in tree.values() if isinstance(tree, dict) else tree:
            yield from _arrays(item)
    elif (array := np.asarray(tree)).dtype.kind in "biuf":
        yield array


def _failures(
    exercise: Exercise, inputs: Mapping[Case, Inputs], got: Outcomes, expected: Outcomes
) -> dict[str, dict[Case, Failure]]:
    """The cases that fail, of each criterion that is lost."""
    failed = {
        criterion.name: {
            case: failure
            for case in criterion.cases
            if (failure := criterion.failure(inputs[case], got[case], expected[case]))
        }
        for criterion in exercise.criteria
    }
    return {name: cases for name, cases in failed.items() if cases}


def _owed(failed: Mapping[str, Mapping[Case, Failure]]) -> set[str]:
    """The criteria whose failure has to be explained."""
    return {name for name, cases in failed.items() if any(failure.kind not in APART for failure in cases.values())}


def _explains(
    known: Signature,
    exercise: Exercise,
    inputs: Mapping[Case, Inputs],
    got: Outcomes,
    expected: Outcomes,
    mine: Mapping[str, Mapping[Case, Failure]],
) -> bool:
    """Whether answers that fail as ``mine`` agree with those of a mistake wherever that is visible."""
    if any(mine.get(name, {}).keys() != failed.keys() for name, failed in known.failures.items()):
        return False
    return all(
        _agree(
            criterion,
            inputs[case],
            expected[case],
            (got[case], mine[criterion.name][case]),
            (known.outcomes[case], theirs),
        )
        for criterion in exercise.criteria
        for case, theirs in known.failures.get(criterion.name, {}).items()
    )


def _agree(
    criterion: Criterion,
    given: Inputs,
    right: Outcome,
    answer: tuple[Outcome, Failure],
    mistake: tuple[Outcome, Failure],
) -> bool:
    """Whether an answer is wrong in the same way as that of a mistake."""
    (got, mine), (wrong, theirs) = answer, mistake
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
