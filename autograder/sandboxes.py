"""The sandboxes of one judge: one for each runtime, started when a submission first needs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Concatenate, ParamSpec, TypeVar

from autograder.course import Assignment, Part, Runtime
from autograder.limits import USUAL, Limits
from autograder.pace import Pace
from autograder.sandbox.isolation import start
from autograder.sandbox.protocol import Program, SandboxError
from autograder.session import Session
from autograder.submission.provided import without_provided

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Sandboxes:
    """What files of an assignment's parts are run in; close it. ``paces`` are of the sandboxes that have started."""

    def __init__(self, assignment: Assignment, isolation: str, limits: Limits = USUAL) -> None:
        self.assignment, self.isolation, self.limits = assignment, isolation, limits
        self.paces: dict[Runtime, Pace] = {}

    def close(self) -> None:
        for pace in self.paces.values():
            pace.sandbox.close()
        self.paces.clear()

    def pace(self, runtime: Runtime) -> Pace:
        """The sandbox of a runtime, with its pace."""
        if runtime not in self.paces:
            self.paces[runtime] = Pace(start(runtime, self.isolation, self.limits))
        return self.paces[runtime]

    def session(self, part: Part, files: Mapping[str, str]) -> Session:
        """Questions to ``files``; close it."""
        files = {**without_provided(files, self.assignment.provided), **self.assignment.provided}
        return Session(Program(files, part.name, self.assignment.drivers), self.pace(part.runtime), self.limits)

    def twice(self, ask: Callable[Concatenate[Part, _P], _T], part: Part, *rest: _P.args, **named: _P.kwargs) -> _T:
        """What ``ask(part, ...)`` returns, at the second try with a new sandbox if the first fails.

        Raises:
            SandboxError: the second fails, too.
        """
        try:
            answered = ask(part, *rest, **named)
        except SandboxError:
            if broken := self.paces.pop(part.runtime, None):
                broken.sandbox.close()
            answered = ask(part, *rest, **named)
        return answered
