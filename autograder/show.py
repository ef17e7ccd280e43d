"""One exercise of one submission, opened for staff: every failing case with input, answer and expected answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from autograder.collect.keep import kept_copy
from autograder.course import Assignment, CourseError, Inputs
from autograder.grading import results_in
from autograder.judge import Answer, Judge, version
from autograder.loading import course_root, load, term_seed
from autograder.outcome import Malformed, NotImported, Outcome, Raised, Stopped, Unsuitable, Value
from autograder.results import RunRecord
from autograder.sandbox.isolation import choose
from autograder.store import folder_of
from autograder.submission import Submission, SubmissionPathError, read
from autograder.text import printable
from autograder.workers import NOTHING, grade_key


def explain(
    out: Path, student: str, name: str, course: Path | None, seed: str | None, say: Callable[[str], None]
) -> str:
    """The exercise ``name`` of a student graded into ``out``, asked again, as text.

    Raises:
        CourseError: there is no such student or exercise.
        SubmissionPathError: the submission does not hold the exercise (any more), or cannot be read.
    """
    graded = {result.student: (result, record) for result, record in results_in(out)}
    if student not in graded:
        raise CourseError(f"{out} holds no student {student!r}.")
    result, record = graded[student]
    if record.not_graded:
        raise CourseError(f"{student} was not graded: {record.not_graded.reason}")
    root = course_root(course)
    assignment = load(result.assignment, root)
    exercise = next((e for e in assignment.exercises if e.name == name), None)
    if exercise is None:
        raise CourseError(f"{assignment.name} has no exercise {name!r}.")
    handed_in = _handed_in(out, student, record, assignment)
    if exercise.part not in handed_in.parts:
        lines = [*handed_in.notes, f"{exercise.part}.py is not to be found in {record.path or 'what was handed in'}."]
        raise SubmissionPathError("\n".join(lines))
    seed = seed or term_seed(root)
    isolation = choose(record.key.get("isolation"))
    if grade_key(version(assignment), seed, isolation, handed_in) != record.key:
        say("Grader, seed or submission have changed since this was graded.\n")
    with Judge(assignment, seed, isolation) as judge:
        return show(*judge.explain(handed_in, exercise), record.nearest.get(name, ()))


def _handed_in(out: Path, student: str, record: RunRecord, assignment: Assignment) -> Submission:
    """What was graded: the copy that was kept, else what stands where it was."""
    if not record.path:
        return Submission(student, {}, (NOTHING,))
    source = Path(record.path)
    return read(student, kept_copy(folder_of(out, student), source) or source, assignment.graded_names())


def show(answers: Iterable[Answer], output: str, changes: Iterable[str] = ()) -> str:
    """Text for a terminal. It holds hidden inputs and expected values, and the ``changes`` of the reference that answer
    like the student.
    """
    lines = [f"The answers are those of the reference with {change}" for change in changes]
    for answer in answers:
        verdict = f"fails: {answer.failure.sentence}" if answer.failure else "passes"
        lines.append(f"{answer.criterion} / {answer.case}: {verdict}")
        if answer.failure:
            lines += [*_inputs(answer.inputs), *_labelled("got", answer.got), *_labelled("expected", answer.expected)]
    if output:
        lines += ["", "Output of the student's code:", output.rstrip()]
    return printable("\n".join(lines))


def _inputs(given: Inputs) -> Iterable[str]:
    named = [(f"argument {i}", value) for i, value in enumerate(given.args, 1)] + list(given.kwargs.items())
    for name, value in named:
        yield from _block(name, _text(value))


def _labelled(name: str, outcome: Outcome) -> Iterable[str]:
    match outcome:
        case Value(tree):
            yield from _block(name, _text(tree))
        case Raised(_, detail) | Malformed(detail) | NotImported(detail):
            yield from _block(name, detail)
        case Stopped(reason) | Unsuitable(reason):
            yield from _block(name, f"no answer ({reason})")


def _block(name: str, text: str) -> Iterable[str]:
    first, *rest = text.splitlines() or [""]
    yield f"    {name + ':':<12}{first}"
    yield from (" " * 16 + line for line in rest)


def _text(value: Any) -> str:
    """Arrays with their shape and dtype, cut short where they are large; everything else as Python writes it."""
    if isinstance(value, np.ndarray) and value.ndim:
        body = np.array2string(np.asarray(value), precision=6, threshold=60, edgeitems=2, max_line_width=90)
        return f"{value.dtype} {value.shape}\n{body}"
    if isinstance(value, dict):
        return "\n".join(f"{key}: {_text(item)}" for key, item in value.items())
    if isinstance(value, list | tuple) and any(isinstance(item, np.ndarray | dict | list | tuple) for item in value):
        return "\n".join(f"[{i}] {_text(item)}" for i, item in enumerate(value))
    return repr(value.item() if isinstance(value, np.ndarray) else value)
