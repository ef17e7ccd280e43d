"""What the docstrings of an assignment promise, and what asks for it.

A promise is an error, a keyword with its default, a law of the file's header, or a sentence that says "any", "every",
"never", "exactly", a range or an extreme. The first three are read off signature and docstring, and each has clause
mutants (see ``clauses``): it is asked for if all of them are killed. Such a sentence stands in the assignment's
``promises``, word for word, beside the case that asks for it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from autograder.audit_results import MutantResult, PromiseResult
from autograder.course import Assignment, Conventions, Exercise, Promise
from autograder.docstring import Docstring, methods


@dataclass(frozen=True)
class Sentence:
    """A sentence of an exercise's docstring that promises something."""

    exercise: str
    text: str


def sentences(assignment: Assignment) -> list[Sentence]:
    """Those of every exercise that is graded, each once."""
    found = [Sentence(exercise.name, text) for exercise in _asked(assignment) for text in _docs(assignment, exercise)]
    return list(dict.fromkeys(found))


def wrong(assignment: Assignment) -> list[str]:
    """What is wrong with an assignment's table of promises, in sentences."""
    listed = {(promise.exercise, promise.sentence) for promise in assignment.promises}
    exercises = {exercise.name: exercise for exercise in _asked(assignment)}
    return [
        *(
            f"{sentence.exercise}: nothing is said to ask for “{sentence.text}”"
            for sentence in sentences(assignment)
            if (sentence.exercise, sentence.text) not in listed
        ),
        *(
            problem
            for promise in assignment.promises
            if promise.exercise in exercises
            for problem in _stale(assignment, exercises[promise.exercise], promise)
        ),
    ]


def results(assignment: Assignment, clauses: Sequence[MutantResult], complete: bool) -> list[PromiseResult]:
    """Every promise beside what asks for it; where the clause mutants are a sample, only what they do not decide."""
    broken: dict[tuple[str, str], list[MutantResult]] = {}
    for mutant in clauses:
        broken.setdefault((mutant.definition, mutant.promise), []).append(mutant)
    listed = {(promise.exercise, promise.sentence): promise for promise in assignment.promises}
    graded = {exercise.name for exercise in _asked(assignment)}
    rest = [key for key, promise in listed.items() if promise.exercise in graded and not promise.swallowed]
    keys = [*broken, *((s.exercise, s.text) for s in sentences(assignment)), *rest]
    found = []
    for exercise, text in dict.fromkeys(keys):
        mutants, promise = broken.get((exercise, text), []), listed.get((exercise, text))
        named = [promise.asked] if promise and promise.asked else []
        killers = [mutant.killed_by.removeprefix(f"{exercise}: ") for mutant in mutants if mutant.killed_by]
        survives = any(mutant.survived for mutant in mutants)
        asked = tuple(dict.fromkeys([*named, *killers])) if not survives else ()
        same = bool(mutants) and not survives and not asked  # all of them compute the same
        needless = same or bool(promise and promise.needless)
        if complete or not (promise and promise.broken) or mutants:
            found.append(PromiseResult(exercise, text, asked, needless, bool(promise and promise.before)))
    return found


def _stale(assignment: Assignment, exercise: Exercise, promise: Promise) -> Iterator[str]:
    said = " ".join(" ".join(text.split()) for text in _texts(assignment, exercise))
    if promise.sentence not in said:
        yield f"{exercise.name}: the promise “{promise.sentence}” is stale: the docstring does not say so."
    if promise.before and promise.before in said:
        yield f"{exercise.name}: the docstring still says “{promise.before}”"
    cases = {f"{c.name}: {case.title}" for c in exercise.criteria for case in c.cases}
    if promise.asked and promise.asked not in cases | {criterion.name for criterion in exercise.criteria}:
        yield f"{exercise.name}: “{promise.sentence}” is said to be asked by “{promise.asked}”, which is no case."
    if not (promise.asked or promise.broken or promise.swallowed or promise.needless):
        yield f"{exercise.name}: nothing asks for “{promise.sentence}”"


def _docs(assignment: Assignment, exercise: Exercise) -> list[str]:
    source = assignment.references[exercise.part]
    names = methods(source, exercise.name)
    return [sentence for name in names for sentence in Docstring.of(source, exercise.name, name).promises()]


def _texts(assignment: Assignment, exercise: Exercise) -> list[str]:
    """What is said about an exercise, by the header of its file too."""
    source = assignment.references[exercise.part]
    own = (Docstring.of(source, exercise.name, name).text for name in methods(source, exercise.name))
    return [ast.get_docstring(ast.parse(source)) or "", *own]


def _asked(assignment: Assignment) -> list[Exercise]:
    return [exercise for exercise in assignment.exercises if not isinstance(exercise, Conventions)]
