# Generated from autograder/student/checks/criteria.py by "python -m autograder build": change it there.
"""What makes a function of a test file the test of one criterion, for whichever runner reads the file."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import TracebackType
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
            return _otter_case(asked, test, exercise, about)
        asked.criterion = about  # type: ignore[attr-defined]
        return asked

    return mark


def hint(exercise: str, about: Criterion, error: BaseException) -> str:
    """What is said where the test of a criterion fails: a known mistake's sentence if it is exactly that one."""
    return mistakes.sentence(exercise, about.name, error) or about.hint


def _otter_case(asked: Callable[[], None], test: Callable[[], None], exercise: str, about: Criterion) -> Any:
    """``asked``, which runs ``test``, as one of otter's test cases: with the explanation for the bare exception."""
    from otter.test_files import test_case

    class Case(test_case):  # type: ignore[misc]
        def call_func(self, global_environment: dict[str, Any]) -> None:
            try:
                self.test_func()
            except (Exception, SystemExit) as error:
                sentence, line = explain(error, exercise)
                said = "" if sentence == NOT_STARTED else f"Hint: {hint(exercise, about, error)}"
                message = "\n".join(part for part in (sentence, line, said) if part)
                # Otter quotes the test file's line of the number that the frame below this one has.
                raise Failed(message).with_traceback(_from_test(test, error)) from None

        def __reduce__(self) -> Any:  # otter logs each check, and a local class cannot be pickled
            return test_case, (about.name, about.points)

    return Case(about.name, about.points)(asked)


def _from_test(test: Callable[[], None], error: BaseException) -> TracebackType:
    """An error's traceback from the frame of ``test`` on; where that had not begun, the line where its code begins."""
    below = error.__traceback__
    while below and below.tb_frame.f_code is not test.__code__:
        below = below.tb_next
    return below or TracebackType(None, sys._getframe(), -1, test.__code__.co_firstlineno)
