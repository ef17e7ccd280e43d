"""A second diagnosis, where no known mistake explains an answer: the nearest small change of the reference.

The outcomes of a failing exercise are compared with those of the automatic mutants of its reference, by the rule of
``diagnosis``. What is found moves no points and excuses nothing. Students read the kind of the change, staff the change
itself.

A table of mutants and what they answer is made at the first need and kept in the user's cache, a file an exercise and
seed, which every worker and later run reads. It holds expected values: only its owner may read it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.compare import Failure
from autograder.course import Assignment, Case, Exercise, Inputs
from autograder.diagnosis import APART, Outcomes, Signature, explanations, signature
from autograder.mutants import Kind, mutants
from autograder.outcome import Raised, Value
from autograder.sandbox.wire import WireError, decode, encode
from autograder.source import reached, replace_definition

BUDGET = 60  # mutants of one exercise
LONGEST = 2.0  # nominal seconds of a call: exercises that may take longer train models, and take no part
HEAVIEST = 1 << 20  # bytes of one mutant's outcomes
DIGEST = hashlib.sha256().digest_size


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
        said = [[numbers[case], *_packed(outcomes[case])] for case in failing]
        with contextlib.suppress(WireError):  # it is larger than the wire carries
            frame = encode([change.kind.name, change.exact, failures, said])
            if len(frame) <= HEAVIEST:
                frames.append(frame)
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
        outcomes = {cases[number]: Raised(*rest) if what == "raised" else Value(*rest) for number, what, *rest in said}
        table[Change(Kind[kind], exact)] = Signature(outcomes, failed)
    return table


def _packed(outcome: object) -> list[Any]:
    """Neither seconds, which differ from run to run, nor an exception's text, which nobody compares."""
    match outcome:
        case Value(tree, changed):
            return ["value", tree, changed]
        case Raised(name):
            return ["raised", name]
    raise WireError(f"{type(outcome).__name__} explains nothing")


def cache_file(assignment: Assignment, exercise: Exercise, seed: str) -> Path:
    """Below ``AUTOGRADER_CACHE``, by default the folder ``autograder`` of the user's cache."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = Path(os.environ.get("AUTOGRADER_CACHE") or Path(home) / "autograder")
    return folder / "nearest" / assignment.name / f"{exercise.name}-{hashlib.sha256(seed.encode()).hexdigest()[:16]}"


def kept(path: Path, stamp: str) -> list[bytes] | None:
    """The frames that were kept under this stamp; None where there are none, or where the file is damaged."""
    try:
        content = path.read_bytes()
        digest, body = content[:DIGEST], content[DIGEST:]
        if hashlib.sha256(body).digest() != digest:
            return None
        first, *frames = _split(body)
        return frames if decode(first) == stamp else None
    except (OSError, ValueError):
        return None


def keep(path: Path, stamp: str, frames: Iterable[bytes]) -> None:
    """Put the frames there for others, at once or not at all; one file replaces that of an earlier stamp.

    A cache that cannot be written is none: nothing is raised.
    """
    body = b"".join(len(frame).to_bytes(4, "little") + frame for frame in [encode(stamp), *frames])
    temporary = None
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:  # readable by its owner alone
            temporary = file.name
            file.write(hashlib.sha256(body).digest() + body)
        os.replace(temporary, path)
    except OSError:
        if temporary:
            Path(temporary).unlink(missing_ok=True)


def _split(body: bytes) -> Iterator[bytes]:
    start = 0
    while start < len(body):
        size = int.from_bytes(body[start : start + 4], "little")
        yield body[start + 4 : start + 4 + size]
        start += 4 + size
