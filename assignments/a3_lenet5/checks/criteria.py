# Generated from autograder/student/checks/criteria.py by "python -m autograder build": change it there.
"""What makes a function of a test file the test of one criterion, for whichever runner reads the file."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

from . import calls, files, mistakes
from .comparing import Failed
from .limits import time_limit
from .reading import NOT_STARTED, explain


class Criterion(NamedTuple):
    """A named share of an exercise's points, won by one test function."""

    name: str
    points: float
    hint: str


class Forbidden(Failed):
    """The exercise uses what it forbids, and so has no points, whatever it answers."""


def criterion(name: str, points: float, hint: str) -> Callable[[Callable[[], None]], Any]:
    """Make a function without parameters the test of one criterion.

    The test fails as grading would: also where the exercise uses a forbidden name, or does not end.
    """
    about = Criterion(name, points, hint)

    def mark(test: Callable[[], None]) -> Any:
        exercise = test.__globals__["name"]

        @functools.wraps(test)
        def asked() -> None:
            __tracebackhide__ = True
            calls.written.clear()
            if used := files.forbidden(exercise):
                raise Forbidden(f"It uses {used}, which this exercise forbids: no answer earns points.")
            with time_limit(exercise):
                test()

        if "__name__" not in test.__globals__:  # otter executes the file in a bare namespace
            return _otter_case(asked, exercise, about)
        asked.criterion = about  # type: ignore[attr-defined]
        return asked

    return mark


def hint(exercise: str, about: Criterion, error: BaseException) -> str:
    """What is said where the test of a criterion fails: a known mistake's sentence if it is exactly that one."""
    return mistakes.sentence(exercise, about.name, error) or about.hint


def _otter_case(test: Callable[[], None], exercise: str, about: Criterion) -> Any:
    """``test`` as one of otter's test cases, with the explanation in place of the bare exception."""
    from otter.test_files import test_case

    class Case(test_case):  # type: ignore[misc]
        def call_func(self, global_environment: dict[str, Any]) -> None:
            try:
                self.test_func()
            except (Exception, SystemExit) as error:
                sentence, line = explain(error, exercise)
                said = "" if sentence == NOT_STARTED else f"Hint: {hint(exercise, about, error)}"
                message = "\n".join(part for part in (sentence, line, said) if part)
                # Otter quotes the line of the frame below this one, which is the test's.
                below = error.__traceback__.tb_next if error.__traceback__ else None
                raise Failed(message).with_traceback(below) from None

        def __reduce__(self) -> Any:  # otter logs each check, and a local class cannot be pickled
            return test_case, (about.name, about.points)

    return Case(about.name, about.points)(test)
