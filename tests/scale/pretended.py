"""A sandbox without processes: our own sources run here, a student's answer what they are told.

No student's source is ever executed. Replies go through ``protocol`` as a real child's do.
"""

from __future__ import annotations

import contextlib
import random
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any
from unittest import mock

import numpy as np

from autograder import grading, workers
from autograder.course import Assignment, Part, Runtime
from autograder.examiner import Examiner
from autograder.judge import Judge
from autograder.limits import USUAL, Limits
from autograder.outcome import Outcome, Stopped, Value
from autograder.pace import NOMINAL, Pace
from autograder.reference import Reference
from autograder.sandbox.mounts import INSIDE
from autograder.sandbox.protocol import (
    Child,
    ChildStopped,
    NumberedQuestion,
    Program,
    Question,
    Sandbox,
    numbered,
    read_import,
    read_reply,
)
from autograder.sandbox.wire import MAX_DETAIL, WireError, decode, encode
from autograder.sandboxes import Sandboxes

# What a student's child replies: given the program, the question (or None for the import), and the right reply to it
Answering = Callable[[Program, NumberedQuestion | None, Any], Any]


class Pretended(Sandbox):
    """A sandbox of one runtime. ``ours`` says whether what it is given now is the course's own."""

    isolation = "namespaces"

    def __init__(self, runtime: str, references: dict[str, str], answering: Answering) -> None:
        self.runtime, self.references, self.answering = runtime, references, answering
        self.layers: list[str] = []
        self.ours = False

    def child(self, program: Program, slowness: float = 1.0) -> Child:
        return PretendedChild(self, program)

    def close(self) -> str:
        return ""

    def right(self, text: str, drivers: str, question: Question) -> Any:
        """The reply of one of our sources, without its number."""
        asked = [question["name"], question["driver"], question["args"], question["kwargs"], question["seed"]]
        key = text, encode(asked)
        if key not in _replies:
            _replies[key] = decode(encode(_run(text, drivers, question)))
        return _replies[key]


class PretendedChild(Child):
    def __init__(self, sandbox: Pretended, program: Program) -> None:
        self.sandbox, self.program = sandbox, program
        self.alive, self.output, self.used, self.slept, self.waited = True, b"", 0.0, 0.0, 0.0
        self.ours = sandbox.ours or program.files.get(f"{program.module}.py") == sandbox.references.get(program.module)
        self.imported: Outcome = Value(None)
        if not self.ours and program.module != "pace":
            self.imported = self._hear(None, lambda reply: read_import(reply, 0.001))

    def ask(self, question: Question, cpu_limit: float) -> Outcome:
        if self.program.module == "pace":
            return Value(None, cpu=NOMINAL)
        message = numbered(question)
        self.used += 0.001
        return self._hear(message, lambda reply: read_reply(reply, message, 0.001))

    def _hear(self, message: NumberedQuestion | None, read: Callable[[Any], Outcome]) -> Outcome:
        right: Any = {"id": 0, "value": None, "changed": False, "cpu": 0.0}
        if message:
            text = self.program.files[f"{self.program.module}.py"] if self.ours else ""
            text = text or self.sandbox.references[self.program.module]
            right = {"id": message["id"], **self.sandbox.right(text, self.program.drivers, message)}
        try:
            return read(right if self.ours else self.sandbox.answering(self.program, message, right))
        except ChildStopped as stopped:
            self.kill()
            return Stopped(stopped.args[0])

    def kill(self) -> None:
        self.alive = False


def _run(text: str, drivers: str, question: Question) -> dict[str, Any]:
    """What a child that holds one of our sources replies."""
    student, ours = _module("student", text), _module("drivers", drivers)
    args, kwargs = decode(encode([question["args"], question["kwargs"]]))
    random.seed(question["seed"])
    np.random.seed(question["seed"])
    if torch := sys.modules.get("torch"):
        torch.manual_seed(question["seed"])
    before = encode([args, kwargs])
    try:
        if question["driver"]:
            value = getattr(ours, question["driver"])(student, *args, **kwargs)
        else:
            value = getattr(student, question["name"])(*args, **kwargs)
    except Exception as error:
        builtin = next(kind for kind in type(error).__mro__ if kind.__module__ == "builtins")
        return {"raised": builtin.__name__, "detail": str(error)[:MAX_DETAIL]}
    reply = {"value": value, "changed": encode([args, kwargs]) != before, "cpu": 0.001}
    try:
        encode(reply)
    except WireError as error:
        return {"malformed": str(error)}
    return reply


sys.path.append(str(INSIDE))  # what drivers import by its bare name

_replies: dict[tuple[str, bytes], Any] = {}  # of our own sources
_modules: dict[str, ModuleType] = {}


def _module(name: str, text: str) -> ModuleType:
    if text not in _modules:
        module = _modules[text] = ModuleType(name)
        exec(compile(text, f"{name}.py", "exec"), module.__dict__)
    return _modules[text]


class PretendedSandboxes(Sandboxes):
    """One :class:`Pretended` for each runtime."""

    def __init__(self, assignment: Assignment, isolation: str, answering: Answering) -> None:
        super().__init__(assignment, isolation)
        self.pretended = {
            part.runtime: Pretended(part.runtime, dict(assignment.references), answering) for part in assignment.parts
        }

    def pace(self, runtime: Runtime) -> Pace:
        return self.paces.setdefault(runtime, Pace(self.pretended[runtime]))

    @contextlib.contextmanager
    def ours(self) -> Iterator[None]:
        """In here what they are given is the course's own."""
        for sandbox in self.pretended.values():
            sandbox.ours = True
        try:
            yield
        finally:
            for sandbox in self.pretended.values():
                sandbox.ours = False


class PretendedReference(Reference):
    sandboxes: PretendedSandboxes

    def expect(self, part: Part) -> None:
        with self.sandboxes.ours():
            super().expect(part)

    def mistakes(self, *arguments: Any) -> Any:
        with self.sandboxes.ours():
            return super().mistakes(*arguments)


class PretendingJudge(Judge):
    """A judge with pretended sandboxes; ``answering`` is set before it is made."""

    answering: Answering

    def __init__(self, assignment: Assignment, seed: str, isolation: str, limits: Limits = USUAL) -> None:
        super().__init__(assignment, seed, isolation, limits)
        self.sandboxes = PretendedSandboxes(assignment, isolation, type(self).answering)
        self.examiner = Examiner(self.key, self.sandboxes)
        self.reference = PretendedReference(self.examiner)


@contextlib.contextmanager
def pretending(answering: Answering) -> Iterator[None]:
    """In here ``grade`` and ``grade_class`` work in this process, with pretended sandboxes."""

    class Answered(PretendingJudge):
        pass

    def one_by_one(setting: workers.Setting, tasks: Any, _: int) -> Iterator[workers.Graded]:
        grader = workers.Grader(setting)
        try:
            yield from map(grader.grade, tasks)
        finally:
            grader.close()

    Answered.answering = staticmethod(answering)  # type: ignore[assignment]
    with (
        mock.patch.object(workers, "Judge", Answered),
        mock.patch.object(grading, "grade_tasks", one_by_one),
        mock.patch.object(grading, "choose", return_value="namespaces"),
    ):
        yield
