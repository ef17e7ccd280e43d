"""A second diagnosis, where no known mistake explains an answer: the nearest small change of the reference.

The outcomes of a failing exercise are compared with those of the automatic mutants of its reference, by the rule of
``diagnosis``. What is found moves no points and excuses nothing. Students read the kind of the change, staff the change
itself.

A table of mutants and what they answer is made at the first need and kept (``cache``), a file an exercise and seed,
which every worker and later run reads.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from autograder import cache
from autograder.compare import Failure
from autograder.course import Assignment, Case, Exercise, Inputs
from autograder.diagnosis import APART, Outcomes, Signature, explanations, signature
from autograder.mutants import Kind, mutants
from autograder.outcome import Value
from autograder.sandbox.wire import WireError, decode
from autograder.source import reached, replace_definition

BUDGET = 60  # mutants of one exercise
LONGEST = 2.0  # nominal seconds of a call: exercises that may take longer train models, and take no part


@dataclass(frozen=True)
class Change:
    """One small change of a reference: what students may read of it, and what only staff may."""

    kind: Kind
    exact: str

    @property
    def sentence(self) -> str:
        return f"It looks as if {self.kind}."


Table = Mapping[Change, Signature]


def takes_part(exercise: Exercise) -> bool:
    return exercise.cpu_limit <= LONGEST and not any(case.training for case in exercise.cases())


def computed(got: Outcomes, failures: Mapping[str, Iterable[tuple[Case, Failure]]]) -> bool:
    """Whether some failing answer is a value that says more than its own message does."""
    return any(
        isinstance(got[case], Value) and failure.kind not in APART
        for failed in failures.values()
        for case, failure in failed
    )


def nearest(
    exercise: Exercise, inputs: Mapping[Case, Inputs], got: Outcomes, expected: Outcomes, table: Table
) -> dict[str, list[Change]]:
    """Criterion → the changes that explain its failure, all of one kind; empty unless they explain the exercise."""
    return explanations(exercise, inputs, got, expected, table, lambda change: change.kind)


def candidates(assignment: Assignment, exercise: Exercise, seed: str) -> Iterator[tuple[Change, str]]:
    """Changes of an exercise, and of helpers that it alone reaches, each with the whole source after it.

    No more than ``BUDGET``: which ones, the seed decides.
    """
    source = assignment.references[exercise.part]
    calls = reached(source)
    others = {e.name for e in assignment.every_exercise if e.part == exercise.part} - {exercise.name}
    shared = others.union(*(calls.get(name, set()) for name in others))  # conventions are no function
    names = [exercise.name, *sorted(calls[exercise.name] - shared)]
    every = [mutant for name in names for mutant in mutants(source, name)]
    for mutant in random.Random(f"{seed} nearest {exercise.name}").sample(every, min(BUDGET, len(every))):
        exact = mutant.change if mutant.definition == exercise.name else f"{mutant.definition}: {mutant.change}"
        yield Change(mutant.kind, exact), replace_definition(source, mutant.definition, mutant.source)


def packed(
    exercise: Exercise, inputs: Mapping[Case, Inputs], expected: Outcomes, answers: Iterable[tuple[Change, Outcomes]]
) -> list[bytes]:
    """The table of those changes by which a mistake can be known, a frame each."""
    numbers = {case: number for number, case in enumerate(exercise.cases())}
    frames = []
    for change, outcomes in answers:
        shown = signature(exercise, inputs, outcomes, expected)
        if not shown:
            continue
        failures = [
            [name, numbers[case], failure.kind, failure.sentence]
            for name, failed in shown.failures.items()
            for case, failure in failed.items()
        ]
        failing = dict.fromkeys(case for failed in shown.failures.values() for case in failed)
        with contextlib.suppress(WireError):  # it is larger than what is kept
            said = cache.packed({case: outcomes[case] for case in failing}, exercise.cases())
            frames.append(cache.frame([change.kind.name, change.exact, failures, said]))
    return frames


def unpacked(exercise: Exercise, frames: Iterable[bytes]) -> dict[Change, Signature]:
    """The inverse of :func:`packed`; a signature has the outcomes that fail, and no others.

    Raises:
        WireError, ValueError, TypeError, LookupError: the frames are of another origin.
    """
    cases = exercise.cases()
    table = {}
    for frame in frames:
        kind, exact, failures, said = decode(frame)
        failed: dict[str, dict[Case, Failure]] = {}
        for name, number, why, sentence in failures:
            failed.setdefault(name, {})[cases[number]] = Failure(why, sentence)
        table[Change(Kind[kind], exact)] = Signature(cache.unpacked(said, cases), failed)
    return table
