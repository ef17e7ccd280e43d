"""What an assignment is: parts, exercises, criteria and cases. Plain data, no grading.

A *part* is one stub file with the runtime it is graded in. An *exercise* is one graded name of a part and owns
named *criteria*; a criterion pays its points only if all of its *cases* pass its check. Points and
visibility live in ``solutions/<assignment>/assignment.toml``, which a teacher edits without touching Python.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from autograder.compare import Check, Failure, close, fitted
from autograder.decimals import total
from autograder.outcome import Outcome, Value
from autograder.sandbox.wire import weight

Runtime = Literal["numpy", "torch"]
Law = Literal["dtype", "strides", "arguments"]  # what a file's header may promise for all its functions
# How arrays are made anew before a student gets them
Copies = Literal["float32", "float32 first", "float64 first", "integers", "fortran", "strided", "again", "among"]


class CourseError(Exception):
    """The course itself is inconsistent or cannot be found; each argument is a sentence for a teacher."""

    def __str__(self) -> str:
        return "\n".join(self.args)


@dataclass(frozen=True)
class Inputs:
    """Arguments of one call: trees of arrays, numbers, strings, tuples, lists and dictionaries."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    @cached_property
    def weight(self) -> int:
        """Bytes of memory that they take, roughly."""
        return weight([*self.args, self.kwargs])


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
    them. One that is a ``training`` is never asked a second time without need. With ``copies`` the child makes such
    copies of the arrays first: of all of them, or of those driver's parameters that are ``lent``. With ``again`` it
    calls a second time with other arrays, before it sends the first answer. With ``among`` it makes calls in which one
    argument at a time is another before the one that is asked for, with the same arrays, and again between others,
    and writes into each answer but the last one.
    """

    title: str
    make: Callable[[np.random.Generator], Inputs]
    driver: str = ""
    repeats: int = 1
    training: bool = False
    copies: Copies | None = None
    lent: Sequence[str] = ()


@dataclass(frozen=True)
class Criterion:
    """A named share of an exercise's points, won when every case passes the check."""

    name: str
    cases: Sequence[Case]
    check: Check = field(default_factory=close)

    def failure(self, given: Inputs, got: Outcome, want: Outcome, right: Outcome | None = None) -> Failure | None:
        """What is wrong with an answer, if anything.

        ``right`` is the right outcome where ``want`` is another, that of a reference with a mistake in it. The check is
        made for answers in the right one's form; with one in another form an answer is compared as a whole. What was
        found last is remembered: several steps of a grading ask for the same.
        """
        if not isinstance(got, Value):
            return self._failure(given, got, want, right)
        failure: Failure | None
        beside, failure = got.said.get(id(self), ((), None))
        if not beside or any(one is not other for one, other in zip(beside, (given, want, right), strict=True)):
            failure = self._failure(given, got, want, right)
            got.said[id(self)] = (given, want, right), failure
        return failure

    def _failure(self, given: Inputs, got: Outcome, want: Outcome, right: Outcome | None) -> Failure | None:
        if isinstance(right, Value) and isinstance(want, Value) and isinstance(fitted(right.tree, want.tree), Failure):
            return close()(given, got, want)
        with np.errstate(all="ignore"):  # an answer may hold any numbers, and a check computes on them
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
        """The inputs of ``case`` under a term seed: a function of seed, exercise and title alone.

        Keys of dictionaries stand in another order than the case wrote them: only names tell entries apart.
        """
        digest = hashlib.sha256(f"{seed}/{self.part}/{self.name}/{case.title}".encode()).digest()
        given = case.make(np.random.default_rng(np.frombuffer(digest, np.uint32)))
        number = itertools.count()
        return replace(given, args=_reordered(given.args, number), kwargs=_reordered(given.kwargs, number))

    def cases(self) -> list[Case]:
        """Every case once, in the order in which the criteria name them."""
        return list(dict.fromkeys(case for criterion in self.criteria for case in criterion.cases))


def kept(exercise: Exercise) -> Exercise:
    """The exercise with one case more: its first, whose answer is looked at after another call with other arrays."""
    (first, *_) = exercise.cases()
    return _with(exercise, first, replace(first, title="an answer that is kept while another is given", copies="again"))


def alone(exercise: Exercise, title: str = "") -> Exercise:
    """The exercise with one case more: its first or another one, among calls with other arguments, of which none may
    show in the answer, nor what is written into an earlier one.

    What is remembered without regard to an argument shows only in a case that passes this argument.
    """
    case = next((case for case in exercise.cases() if title in ("", case.title)), None)
    if case is None:
        raise LookupError(f"alone(…): {exercise.name} has no case “{title}”")
    return _with(exercise, case, replace(case, title="an answer among others, to other arguments", copies="among"))


def _with(exercise: Exercise, case: Case, more: Case) -> Exercise:
    """The exercise with a case more, which feeds the same criteria as one that it has."""
    criteria = [replace(c, cases=[*c.cases, more]) if case in c.cases else c for c in exercise.criteria]
    return replace(exercise, criteria=criteria)


def _reordered(tree: Any, number: Iterator[int]) -> Any:
    """The same, with the keys of every dictionary from the last to the first; of each next one begun one key later."""
    if isinstance(tree, dict):
        keys = [*reversed(tree)]
        first = next(number) % len(keys) if keys else 0
        return {key: _reordered(tree[key], number) for key in [*keys[first:], *keys[:first]]}
    return type(tree)(_reordered(item, number) for item in tree) if type(tree) in (list, tuple) else tree


@dataclass(frozen=True)
class Conventions(Exercise):
    """What the header of a part's file promises for all its functions. It is paid for like an exercise.

    Each criterion is a :data:`Law` and has no cases of its own: it is asked of every exercise of the part, with one of
    the exercise's cases. ``lent``: driver → those of its parameters that it hands to the student as they are; of cases
    with other drivers nothing is copied. ``mixed``: exercise → copies beside float32 that the header promises it
    something about.
    """

    lent: Mapping[str, Sequence[str]] = field(default_factory=dict)
    mixed: Mapping[str, Sequence[Copies]] = field(default_factory=dict)

    @property
    def laws(self) -> set[str]:
        return {criterion.name for criterion in self.criteria}


def conventions(
    part: str,
    *laws: Law,
    name: str = "conventions",
    mixed: Mapping[str, Sequence[Copies]] | None = None,
    **lent: Sequence[str],
) -> Conventions:
    """The :class:`Conventions` of ``part``; other keywords name drivers."""
    return Conventions(name, part, [Criterion(law, ()) for law in laws], lent=lent, mixed=mixed or {})


@dataclass(frozen=True)
class Part:
    """One stub file: ``name`` is its module name, graded where ``runtime`` says."""

    name: str
    runtime: Runtime


@dataclass(frozen=True)
class Misconception:
    """A mistake that students really make, as a small patch of the reference.

    ``old`` must stand exactly once in the source of ``exercise`` in the reference; ``new`` replaces it. ``sentence``
    is what a teacher would say: it explains the mistake without giving the answer. With ``carried`` an exercise that
    needs this one may be right under the mistake instead; not so where the mistake would hide others there.
    """

    name: str
    exercise: str
    sentence: str
    old: str
    new: str
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
class Promise:
    """A sentence of an exercise's docstring, word for word, that says "any", "never", "exactly" or how far something
    goes, or what is said below "Raises": the entry goes stale when the wording changes.

    ``asked`` is what asks for it, "criterion: title of a case", or a criterion. ``broken`` are texts of the reference
    with others that break the promise, ``swallowed`` conditions, expressions in the arguments, under each of which the
    error is not raised: each makes a clause mutant that must be killed. ``needless`` says why nothing asks. ``before``
    is the sentence that stood there until it gave way: it promised more than anybody needs.
    """

    exercise: str
    sentence: str
    asked: str = ""
    broken: Sequence[tuple[str, str]] = ()
    swallowed: Sequence[str] = ()
    needless: str = ""
    before: str = ""


@dataclass(frozen=True)
class Assignment:
    """Everything the judge needs to grade one assignment.

    ``digest`` is a hash of everything that a grade in this assignment can depend on, libraries and the engine aside.
    ``points[exercise][criterion]`` are the points; ``dropped`` are the exercises that have none, which students may do
    and nobody grades; ``forbids[exercise]`` are full dotted names; ``needs[exercise]`` are
    the exercises that its reference calls, itself or through them; ``provided`` are files that every solution may
    import, ours whatever else was handed in under their name. ``unbroken`` are marks of clause mutants.
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
    promises: Sequence[Promise] = ()
    unbroken: Sequence[Equivalent] = ()
    visibility: str = "visible"
    digest: str = ""

    @property
    def every_exercise(self) -> list[Exercise]:
        """Those that are graded, and those that are dropped."""
        return [*self.exercises, *self.dropped]

    def part_of(self, exercise: Exercise) -> Part:
        return next(part for part in self.parts if part.name == exercise.part)

    def part_exercises(self, part: Part) -> list[Exercise]:
        """Those that are asked: all but the part's conventions."""
        return [e for e in self.exercises if e.part == part.name and not isinstance(e, Conventions)]

    def conventions_of(self, part: str) -> Conventions | None:
        """What is promised for all exercises of the part, if anything is paid for it."""
        return next((e for e in self.exercises if e.part == part and isinstance(e, Conventions)), None)

    def reference_files(self, part: Part) -> dict[str, str]:
        """The reference of a part, in the form of a submission's files."""
        return {f"{part.name}.py": self.references[part.name]}

    def graded_names(self) -> dict[str, list[str]]:
        """Module name of each part → the names that are graded in it."""
        return {part.name: [e.name for e in self.part_exercises(part)] for part in self.parts}

    @property
    def max_score(self) -> float:
        """Points without bonus."""
        return total(p for e in self.exercises if not e.bonus for p in self.points[e.name].values())
