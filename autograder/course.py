"""What an assignment is: parts, exercises, criteria and cases. Plain data, no grading.

A *part* is one stub file with the runtime it is graded in. An *exercise* is one graded name of a part and owns
named *criteria*; a criterion pays its points only if all of its *cases* pass its check. Points, due date and
visibility live in ``solutions/<assignment>/assignment.toml``, which a teacher edits without touching Python.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

import numpy as np

from autograder.compare import Check, Failure, close, fitted
from autograder.decimals import total
from autograder.outcome import Outcome, Value

Runtime = Literal["numpy", "torch"]


class CourseError(Exception):
    """The course itself is inconsistent or cannot be found; the message is one sentence for a teacher."""


@dataclass(frozen=True)
class Inputs:
    """Arguments of one call: trees of arrays, numbers, strings, tuples, lists and dictionaries."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]


def inputs(*args: Any, **kwargs: Any) -> Inputs:
    """``inputs(x, h, stride=2)`` reads like the call that it becomes."""
    return Inputs(args, kwargs)


def fixed(*args: Any, **kwargs: Any) -> Callable[[np.random.Generator], Inputs]:
    """Inputs that are not random."""
    return lambda rng: inputs(*args, **kwargs)


@dataclass(frozen=True, eq=False)
class Case:
    """One question to a submission: a title, inputs made from a generator, and the driver that asks it.

    The driver is a function of the assignment's ``drivers.py``, called as ``driver(student, *args, **kwargs)`` in the
    child with the student's module; the default calls the exercise by name. A case that feeds several criteria is
    asked once; with ``repeats`` it is asked that often, each time with other inputs, and its CPU time is the least of
    them. One that is a ``training`` is never asked a second time without need.
    """

    title: str
    make: Callable[[np.random.Generator], Inputs]
    driver: str = ""
    repeats: int = 1
    training: bool = False


@dataclass(frozen=True)
class Criterion:
    """A named share of an exercise's points, won when every case passes the check."""

    name: str
    cases: Sequence[Case]
    check: Check = field(default_factory=close)

    def failure(self, given: Inputs, got: Outcome, want: Outcome, right: Outcome | None = None) -> Failure | None:
        """What is wrong with an answer, if anything.

        ``right`` is the right outcome where ``want`` is another, that of a reference with a mistake in it. The check is
        made for answers in the right one's form; with one in another form an answer is compared as a whole.
        """
        if isinstance(right, Value) and isinstance(want, Value) and isinstance(fitted(right.tree, want.tree), Failure):
            return close()(given, got, want)
        return self.check(given, got, want)


@dataclass(frozen=True)
class Exercise:
    """One graded function or class.

    ``cpu_limit`` bounds each call, in nominal seconds of CPU (see ``pace``).
    """

    name: str
    part: str
    criteria: Sequence[Criterion]
    cpu_limit: float = 2.0
    bonus: bool = False

    def case_inputs(self, case: Case, seed: str) -> Inputs:
        """The inputs of ``case`` under a term seed: a function of seed, exercise and title alone."""
        digest = hashlib.sha256(f"{seed}/{self.part}/{self.name}/{case.title}".encode()).digest()
        return case.make(np.random.default_rng(np.frombuffer(digest, np.uint32)))

    def cases(self) -> list[Case]:
        """Every case once, in the order in which the criteria name them."""
        return list(dict.fromkeys(case for criterion in self.criteria for case in criterion.cases))


@dataclass(frozen=True)
class Part:
    """One stub file: ``name`` is its module name, graded where ``runtime`` says."""

    name: str
    runtime: Runtime


@dataclass(frozen=True)
class Misconception:
    """A mistake that students really make, as a small patch of the reference.

    ``old`` must stand exactly once in the source of ``exercise`` in the reference; ``new`` replaces it. ``sentence``
    is what a teacher would say: it explains the mistake without giving the answer. ``source`` is the mistake's number
    in the collection that it was translated from. With ``carried`` an exercise that needs this one may be right under
    the mistake instead; not so where the mistake would hide others there.
    """

    name: str
    exercise: str
    sentence: str
    old: str
    new: str
    source: str = "ours"
    carried: bool = True


@dataclass(frozen=True)
class Alternative:
    """A correct but unusual solution of one exercise.

    ``source`` replaces the whole definition in the reference; lines before the definition (imports, helpers) are kept.
    """

    name: str
    exercise: str
    source: str


@dataclass(frozen=True)
class Equivalent:
    """A human's word that an automatic mutant of the reference computes the same, with the reason.

    ``digest`` is that of the definition's code: the mark goes stale when the reference changes.
    """

    part: str
    definition: str
    digest: str
    change: str
    reason: str


Group = tuple[str, str, Sequence[str]]  # (reason, original statement, equivalent replacements)


def equivalents(part: str, definition: str, digest: str, *groups: Group) -> list[Equivalent]:
    """The marks of one definition."""
    return [
        Equivalent(part, definition, digest, f"{before} → {after}", reason)
        for reason, before, afters in groups
        for after in afters
    ]


@dataclass(frozen=True)
class TrivialAnswer:
    """A human's word that a trivial answer is the right one to every case of a criterion, with the reason.

    ``answer`` is its name in the audit. The mark goes stale when it no longer wins the criterion.
    """

    exercise: str
    criterion: str
    answer: str
    reason: str


@dataclass(frozen=True)
class Assignment:
    """Everything the judge needs to grade one assignment.

    ``digest`` is a hash of everything that a grade in this assignment can depend on, libraries and the engine aside.
    ``points[exercise][criterion]`` are the points; ``dropped`` are the exercises that have none, which students may do
    and nobody grades; ``forbids[exercise]`` are full dotted names; ``needs[exercise]`` are
    the exercises that its reference calls, itself or through them; ``provided`` are files that every solution may
    import, ours whatever else was handed in under their name.
    """

    name: str
    title: str
    parts: Sequence[Part]
    exercises: Sequence[Exercise]
    points: Mapping[str, Mapping[str, float]]
    references: Mapping[str, str]
    provided: Mapping[str, str] = field(default_factory=dict)
    needs: Mapping[str, Sequence[str]] = field(default_factory=dict)
    forbids: Mapping[str, Sequence[str]] = field(default_factory=dict)
    drivers: str = ""
    misconceptions: Sequence[Misconception] = ()
    alternatives: Sequence[Alternative] = ()
    equivalents: Sequence[Equivalent] = ()
    dropped: Sequence[Exercise] = ()
    trivial: Sequence[TrivialAnswer] = ()
    due: datetime | None = None
    visibility: str = "visible"
    digest: str = ""

    @property
    def every_exercise(self) -> list[Exercise]:
        """Those that are graded, and those that are dropped."""
        return [*self.exercises, *self.dropped]

    def part_of(self, exercise: Exercise) -> Part:
        return next(part for part in self.parts if part.name == exercise.part)

    def part_exercises(self, part: Part) -> list[Exercise]:
        return [exercise for exercise in self.exercises if exercise.part == part.name]

    def graded_names(self) -> dict[str, list[str]]:
        """Module name of each part → the names that are graded in it."""
        return {part.name: [e.name for e in self.part_exercises(part)] for part in self.parts}

    @property
    def max_score(self) -> float:
        """Points without bonus."""
        return total(p for e in self.exercises if not e.bonus for p in self.points[e.name].values())
