# Generated from autograder/student/checks/report.py by "python -m autograder build": change it there.
"""What is shown of exercises, by pytest and the loop: a line for each, and beneath it what failed, why, and a hint."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from . import files
from .comparing import Failed, NotRaised
from .criteria import Criterion, Forbidden, hint
from .reading import NOT_STARTED, NotImported, explain, own_frames


class Line(NamedTuple):
    """``colour`` is "green", "red", or none."""

    text: str
    colour: str = ""


@dataclass
class Result:
    """What became of one criterion: not ``ran``, or without an ``error``, or with one."""

    criterion: Criterion
    ran: bool = False
    error: BaseException | None = None
    sentence: str = ""
    line: str = ""  # of code, in which it happened
    hint: str = ""
    printed: str = ""
    alone: str = ""  # the command that runs it alone, where each criterion has one
    notes: Sequence[str] = ()

    @property
    def passed(self) -> bool:
        return self.ran and self.error is None

    def fail(self, error: BaseException, exercise: str) -> None:
        """Keep an error with what is said of it."""
        self.error = error
        self.sentence, self.line = explain(error, exercise)
        self.hint = hint(exercise, self.criterion, error)


@dataclass
class Exercise:
    """One test file."""

    name: str
    results: list[Result] = field(default_factory=list)
    bonus: bool = False

    @property
    def won(self) -> float:
        return sum(result.criterion.points for result in self.results if result.passed)

    @property
    def possible(self) -> float:
        return sum(result.criterion.points for result in self.results)

    @property
    def failures(self) -> list[Result]:
        return [result for result in self.results if result.error]

    @property
    def right(self) -> bool:
        return all(result.passed for result in self.results)

    @property
    def status(self) -> str:
        """In a word or two where all criteria share it; else empty."""
        failures = self.failures
        if self.right:
            return "passed"
        if not any(result.ran for result in self.results):
            return "not run"
        if len(failures) == len(self.results):
            if all(failure.sentence == NOT_STARTED for failure in failures):
                return NOT_STARTED
            if all(isinstance(failure.error, NotImported) for failure in failures):
                return "cannot be imported"
        return ""

    @property
    def label(self) -> str:
        if not self.possible:
            return f"{self.name} (not graded)" + " (bonus)" * self.bonus
        return self.name + " (bonus)" * self.bonus

    @property
    def score(self) -> str:
        return f"{self.won:.12g}/{self.possible:.12g}"


def table(exercises: Sequence[Exercise]) -> Iterator[Line]:
    """A line for each exercise with what failed beneath it, and the points of all."""
    width = max((len(exercise.label) for exercise in exercises), default=0)
    column = max([5, *(len(exercise.score) for exercise in exercises)])
    known = {exercise.name: exercise for exercise in exercises}
    for exercise in exercises:
        start = f"{exercise.label:{width}}  {exercise.score:>{column}}"
        yield from _shown(exercise, known, start)
    for sentence in sorted({str(f.error) for e in exercises for f in e.failures if isinstance(f.error, NotImported)}):
        yield Line(f"Cannot be imported: {sentence}", "red")


def details(exercise: Exercise, known: Mapping[str, Exercise], *, folded: bool = True) -> Iterator[Line]:
    """What is beneath an exercise's name: of each failing criterion the sentence, the line, a hint and a command.

    Args:
        known: exercises by name, of which one may be the culprit.
        folded: whether of criteria for which another exercise is to blame no more is said than that.
    """
    blamed = culprits(exercise, known)
    for helper in sorted(set(blamed.values()), key=order):
        names = [name for name, culprit in blamed.items() if culprit == helper]
        yield Line(f"  {', '.join(names)}: {_blame(known[helper])}.")
    shown = [failure for failure in exercise.failures if not folded or failure.criterion.name not in blamed]
    if all(isinstance(failure.error, Forbidden) for failure in shown):
        yield from (Line(f"  {sentence}") for sentence in dict.fromkeys(failure.sentence for failure in shown))
    else:
        for failure in shown:
            yield from _failure(failure)
    yield from _notes(exercise)


def culprits(exercise: Exercise, known: Mapping[str, Exercise]) -> dict[str, str]:
    """Failing criterion → another exercise that it fails by, where one is to blame.

    That is the first one that this exercise calls, in the student's own code, and that fails in the same way: does not
    raise what it should, or answers wrongly. Or it is not started, and was needed.
    """
    called = [known[name] for name in sorted(files.calls(exercise.name) & known.keys(), key=order)]
    found = {}
    for failure in exercise.failures:
        culprit = next((helper.name for helper in called if _fails_by(failure, helper)), "")
        if culprit:
            found[failure.criterion.name] = culprit
    return found


def order(exercise: str) -> tuple[int, int]:
    """Exercises in the order in which the student's files define them; what no file defines comes last."""
    found = files.place(exercise)
    return (files.modules().index(found[0]), found[1]) if found else (len(files.modules()), 0)


def total(exercises: Sequence[Exercise]) -> str:
    """Points won of those to be won. Bonus points come on top of the maximum, and have none on their own."""
    won = sum(exercise.won for exercise in exercises)
    expected = [exercise.possible for exercise in exercises if not exercise.bonus]
    return f"{won:.12g}" + (f"/{sum(expected):.12g}" if expected else "")


def last_lines(text: str) -> str:
    """What a test printed; only the last lines of much."""
    lines = text.splitlines()
    return "\n".join(f"  {line}" for line in (["..."] if len(lines) > 20 else []) + lines[-20:])


def _shown(exercise: Exercise, known: Mapping[str, Exercise], start: str) -> Iterator[Line]:
    if status := exercise.status:
        colour = {"passed": "green", "cannot be imported": "red"}.get(status, "")
        yield Line(f"{start}  {status}", colour)
        yield from _notes(exercise)
        return
    blamed = culprits(exercise, known)
    if len(blamed) == len(exercise.failures) and len(set(blamed.values())) == 1:
        yield Line(f"{start}  {_blame(known[blamed.popitem()[1]])}")
        yield from _notes(exercise)
        return
    yield Line(start, "red")
    yield from details(exercise, known)


def _failure(failure: Result) -> Iterator[Line]:
    points = f"{failure.criterion.points:.12g} point{'' if failure.criterion.points == 1 else 's'}"
    yield Line(f"  {failure.criterion.name} ({points}): {failure.sentence}")
    below = {"": failure.line, "Hint: ": failure.hint, "Run it alone: ": failure.alone}
    below["It printed:\n"] = failure.printed
    for line in "\n".join(label + text for label, text in below.items() if text).splitlines():
        yield Line(f"      {line}")


def _notes(exercise: Exercise) -> Iterator[Line]:
    notes: Iterable[str] = (note for result in exercise.results for note in result.notes)
    for note in dict.fromkeys(notes):
        yield Line(f"  Note: {note}, which must stay as it is: begin from an array of your own.")


def _blame(helper: Exercise) -> str:
    if helper.status == NOT_STARTED:
        return f"needs {helper.name}, which is not started"
    return f"calls your {helper.name}, which is wrong: mend {helper.name} first"


def _fails_by(failure: Result, helper: Exercise) -> bool:
    """Whether a criterion may fail since ``helper`` does."""
    error = failure.error
    if isinstance(error, NotImplementedError):
        return helper.status == NOT_STARTED and str(error) == helper.name
    if isinstance(error, NotImported | Forbidden):
        return False
    others = [o.error for o in helper.failures if not isinstance(o.error, NotImported | NotImplementedError)]
    if crash := _crash(error):
        within = any(frame.name == helper.name for frame in own_frames(crash))
        return bool(others) and (within or isinstance(crash, ValueError | IndexError))  # as of arrays that do not fit
    return any(isinstance(other, NotRaised) == isinstance(error, NotRaised) for other in others)


def _crash(error: BaseException | None) -> BaseException | None:
    """The error that the student's code ended with, if it was one that nobody asked for."""
    return error.__cause__ if isinstance(error, NotRaised) else error if not isinstance(error, Failed) else None
