"""One exercise of one submission, opened for staff: every failing case with input, answer and expected answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from autograder.answer_groups import AnswerGroup, answer_groups, group_of
from autograder.collect.keep import kept_copy
from autograder.course import Assignment, Conventions, CourseError
from autograder.decimals import points
from autograder.grade_key import grade_key, version
from autograder.judge import Answer, Judge
from autograder.loading import course_root, load, term_seed
from autograder.outcome import Malformed, NotImported, Outcome, Raised, Stopped, Unsuitable, Value
from autograder.results import ExerciseResult, RunRecord, SubmissionResult
from autograder.sandbox.isolation import choose
from autograder.source import with_helpers
from autograder.store import folder_of, results_in
from autograder.submission import Submission, SubmissionPathError, read
from autograder.text import printable, shortened
from autograder.workers import NOTHING


@dataclass(frozen=True)
class Explained:
    """One exercise of one student, asked again; it holds hidden inputs and expected values.

    Attributes:
        exercise: what was graded.
        source: the student's code of it, with the helpers that it names.
        changes: small changes of the reference that answer like the student.
        group: those who answer alike, if the answer is wrong.
        output: what the student's code printed.
    """

    result: SubmissionResult
    exercise: ExerciseResult
    source: str
    answers: Sequence[Answer]
    output: str
    changes: Sequence[str] = ()
    group: AnswerGroup | None = None


def explain(
    out: Path, student: str, name: str, course: Path | None, seed: str | None, say: Callable[[str], None]
) -> Explained:
    """An exercise of a student graded into ``out``, asked again.

    Args:
        student, name: of student and exercise; their beginnings will do where nothing else begins like that.

    Raises:
        CourseError: there is no such student or exercise, or there are several.
        SubmissionPathError: the submission does not hold the exercise (any more), or cannot be read.
    """
    everyone = results_in(out)
    graded = {result.student: (result, record) for result, record in everyone}
    result, record = graded[_meant(student, graded, f"{out} holds no student {student!r}.")]
    if record.not_graded:
        raise CourseError(f"{result.student} was not graded: {record.not_graded.reason}")
    root = course_root(course)
    assignment = load(result.assignment, root)
    exercises = {exercise.name: exercise for exercise in assignment.exercises}
    exercise = exercises[_meant(name, exercises, f"{assignment.name} has no exercise {name!r}.")]
    submission = handed_in(out, result.student, record, assignment)
    if exercise.part not in submission.parts:
        lines = [*submission.notes, f"{exercise.part}.py is not to be found in {record.path or 'what was handed in'}."]
        raise SubmissionPathError(" ".join(lines))
    seed = seed or term_seed(root)
    isolation = choose(record.key.get("isolation"))
    if grade_key(version(assignment), seed, isolation, submission) != record.key:
        say("Grader, seed or submission have changed since this was graded.")
    with Judge(assignment, seed, isolation) as judge:
        answers, output = judge.explain(submission, exercise)
    text = submission.parts[exercise.part].get(f"{exercise.part}.py", "")
    return Explained(
        result,
        next(one for one in result.exercises if one.name == exercise.name),
        text if isinstance(exercise, Conventions) else with_helpers(text, exercise.name),
        answers,
        output,
        record.nearest.get(exercise.name, ()),
        group_of(answer_groups(everyone), exercise.name, result.student),
    )


def find_group(out: Path, exercise: str, number: str) -> AnswerGroup:
    """A group of equal wrong answers among those graded into ``out``, by the exercise (its beginning will do) and the
    number that the report gives it.

    Raises:
        CourseError: there is none.
    """
    groups = answer_groups(results_in(out))
    name = _meant(exercise, [group.exercise for group in groups], f"No answer to {exercise!r} in {out} is wrong.")
    found = [group for group in groups if group.exercise == name]
    if not number.isdecimal() or not 1 <= int(number) <= len(found):
        raise CourseError(f"There is no group {shortened(number)} of {name}: they are numbered 1 to {len(found)}.")
    return found[int(number) - 1]


def group_text(group: AnswerGroup) -> str:
    """The members of a group, and the row that gives all of them points."""
    names = ", ".join(group.misconceptions or group.nearest) or "no name yet"
    lines = [
        f"{group.exercise}, group {group.number}: {names}",
        f"Students ({len(group.students)}): {', '.join(group.students)}",
        f"Points for all of them: {group.key},{group.exercise},POINTS,REASON in overrides.csv",
    ]
    return printable("\n".join(lines))


def _meant(given: str, known: Iterable[str], absent: str) -> str:
    """The one of ``known`` that is ``given``, or begins with it."""
    names = dict.fromkeys(known)
    if given in names:
        return given
    matches = [name for name in names if name.casefold().startswith(given.casefold())]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise CourseError(f"{given!r} could be {', '.join(matches[:5])}{' and others' if matches[5:] else ''}.")
    raise CourseError(absent)


def handed_in(out: Path, student: str, record: RunRecord, assignment: Assignment) -> Submission:
    """What was graded: the copy that was kept, else what stands where it was."""
    if not record.path:
        return Submission(student, {}, (NOTHING,))
    path = Path(record.path)
    return read(student, kept_copy(folder_of(out, student), path) or path, assignment.graded_names())


def text(explained: Explained) -> str:
    """What was asked, answered and expected, for a terminal."""
    result, exercise = explained.result, explained.exercise
    won = f"{points(exercise.points)} of {points(exercise.max_points)} points"
    lines = [f"{result.student}, {result.title}", f"{exercise.name}: {won}"]
    if group := explained.group:
        alike = "nobody else answers like this" if group.size == 1 else f"{group.size} students answer like this"
        lines.append(f"answer group {group.number}: {alike}")
    lines.append("")
    lines += [f"The answers are those of the reference with {change}" for change in explained.changes]
    for answer in explained.answers:
        verdict = f"fails: {answer.failure.sentence}" if answer.failure else "passes"
        lines.append(f"{answer.criterion} / {answer.case}: {verdict}")
        if answer.failure:
            lines += [line for name, value in answer.given.items() for line in _block(name, _text(value))]
            lines += [*_labelled("got", answer.got), *_labelled("expected", answer.expected)]
    if explained.output:
        lines += ["", "Output of the student's code:", explained.output.rstrip()]
    return printable("\n".join(lines))


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
