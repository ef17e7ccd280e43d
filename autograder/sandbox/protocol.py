"""What judge and child say to each other, and what the judge may ask of a sandbox, whichever kind it is.

Every message is a tree that ``wire`` encodes, of one of the shapes below. The judge trusts its own messages and no
reply: ``read_reply`` and ``read_import`` check each field's type and size before they use it.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, NotRequired, Protocol, TypedDict

from autograder.outcome import Malformed, Outcome, Raised, Unsuitable, Value, exception_name
from autograder.sandbox.mounts import ABSENT
from autograder.sandbox.wire import MAX_DETAIL

START_SECONDS = 120.0
MAX_OUTPUT = 64 << 10  # bytes that are kept of what a child prints
MAX_NAME = 200  # characters of a name in a reply
UNSUITABLE = {why: Unsuitable(why) for why in ("missing", "parameters", "inconsistent")}


class SandboxError(Exception):
    """The sandbox itself failed: the grader's fault, never a student's."""


class ChildStopped(Exception):
    """The child is gone, or was ended; ``args[0]`` is the reason of a :class:`Stopped`."""


# Judge → zygote


class Locks(TypedDict):
    """What a zygote's next child puts on before it receives any student code.

    Of ``layers`` those that are named. ``readable`` are paths for Landlock, beside the folder ``box``, which is
    ``writable`` or not; ``seccomp`` is a BPF program in hexadecimal. Limits: bytes beyond what the libraries take,
    bytes of a file and of the box, threads (0: no limit), seconds of CPU.
    """

    layers: list[str]
    readable: list[str]
    box: str
    writable: bool
    seccomp: str
    memory_bytes: int
    box_bytes: int
    threads: int
    cpu_seconds: int


# Judge → child


class Start(TypedDict):
    """The first message: what to import. Answered like a question with the number 0, by :class:`Returned` (``value``
    is None) or :class:`Threw`.

    ``folder`` is where the submission stands, or is to be written if ``files`` (relative name → source) is not empty.
    ``drivers`` is the source of the assignment's drivers; ``absent`` are packages whose import is to fail.
    """

    folder: str
    files: dict[str, str]
    module: str
    drivers: str
    absent: list[str]


class Question(TypedDict):
    """One call: of the student's function ``name``, or of ``driver`` where that is not empty.

    ``seed`` goes to every random generator; ``forbidden`` are names such as ``numpy.convolve`` that the call may not
    touch. With ``copies`` the student gets copies of the arrays, of another dtype or with other strides: of all of
    them, or of those of the driver's parameters that are ``lent``. With ``again`` the arguments
    stay, and the student is asked a second time with other arrays before the first answer travels. With ``among`` they
    stay, too, and calls with other arguments come before the one whose answer travels.
    """

    name: str
    driver: str
    args: Any  # a sequence, or one that the judge has prepared to be sent
    kwargs: Any  # a mapping with names as its keys, likewise
    seed: int
    forbidden: NotRequired[list[str]]
    copies: NotRequired[str]
    lent: NotRequired[list[str]]


class NumberedQuestion(Question):
    """A question as it is sent. An answer must repeat ``id``, so none can be sent ahead of its question."""

    id: int


# Child → judge


class Locked(TypedDict):
    """The child is confined; it has not yet received any student code."""

    locked: bool


class LockFailed(TypedDict):
    """It could not be confined, and ends."""

    problem: str


class Returned(TypedDict):
    """The call returned ``value``; whether it wrote to its arguments; seconds of CPU as the child measured them."""

    id: int
    value: Any
    changed: bool
    cpu: float


class Threw(TypedDict):
    """The call raised: the nearest built-in exception, and a description for staff."""

    id: int
    raised: str
    detail: str


class NoTree(TypedDict):
    """The call returned what the wire does not carry; a description for staff."""

    id: int
    malformed: str


class NoAnswer(TypedDict):
    """The exercise is ``missing``, its ``parameters`` are not those of the question, or the answers to one question are
    ``inconsistent``.
    """

    id: int
    unsuitable: str


class Touched(TypedDict):
    """The call used a name of the question's ``forbidden``."""

    id: int
    forbidden: str


Reply = Returned | Threw | NoTree | NoAnswer | Touched


@dataclass(frozen=True)
class Program:
    """What a child is to run: the student's files, the module that is graded, and the assignment's drivers."""

    files: Mapping[str, str]
    module: str
    drivers: str


class Child(Protocol):
    """One process that has imported, or failed to import, one part of one submission.

    ``imported`` is what the import came to. ``used``, ``slept`` and ``waited`` are seconds so far: of CPU, of neither
    computing nor waiting for a processor, and of the judge waiting for it. ``output`` holds the beginning of what it
    printed, once it has ended.
    """

    imported: Outcome
    alive: bool
    used: float
    slept: float
    waited: float
    output: bytes

    def ask(self, question: Question, cpu_limit: float) -> Outcome:
        """What one call came to, within ``cpu_limit`` seconds of CPU. After :class:`Stopped` the child is gone."""

    def kill(self) -> None:
        """End the child; once it has ended this does nothing."""


class Sandbox(Protocol):
    """What makes children of one runtime. ``layers`` names the locks that each of them puts on."""

    runtime: str
    isolation: str
    layers: list[str]

    def child(self, program: Program, slowness: float = 1.0) -> Child:
        """A fresh child that has imported ``program``.

        ``slowness``: how many times as long as usual the machine takes now. The limits of the import, and of the time
        that a call may sleep or be waited for, grow by it.

        Raises:
            SandboxError: it could not be started or confined.
        """

    def close(self) -> str:
        """End the sandbox and all its children; what it wrote to its standard error."""


def start_message(program: Program, runtime: str, folder: str, *, written: bool = False) -> Start:
    """The first message to a child. ``written``: the files are already in ``folder``."""
    return {
        "folder": folder,
        "files": {} if written else dict(program.files),
        "module": program.module,
        "drivers": program.drivers,
        "absent": list(ABSENT[runtime]),
    }


def numbered(question: Question) -> NumberedQuestion:
    """The question with a number that no child can guess; 0 is the import's."""
    return {**question, "id": 1 + secrets.randbits(52)}


def check_locked(message: Any) -> None:
    """Take a child's word that it is confined, which it gives before it has seen any student code.

    Raises:
        SandboxError: it is not; the message says why.
    """
    if _has(message, "locked") and message["locked"] is True:
        return
    problem = message["problem"] if _has(message, "problem") and _is_text(message["problem"], MAX_DETAIL) else "?"
    raise SandboxError(f"A child could not be confined: {problem}")


def read_import(reply: Any, cpu: float | None) -> Outcome:
    """The reply to a :class:`Start`, as :class:`Value` of None or :class:`Raised`.

    Raises:
        ChildStopped: it is neither.
    """
    outcome = _read(reply, 0, cpu, ())
    if isinstance(outcome, Raised) or (isinstance(outcome, Value) and outcome.tree is None):
        return outcome
    raise ChildStopped("protocol")


def read_reply(reply: Any, question: NumberedQuestion, cpu: float | None) -> Outcome:
    """The reply to ``question`` as an outcome. ``cpu``: seconds, where the judge has measured them itself.

    Raises:
        ChildStopped: it is none of the shapes of a :data:`Reply`, or is none to this question.
    """
    return _read(reply, question["id"], cpu, question.get("forbidden", ()))


def _read(reply: Any, number: int, cpu: float | None, forbidden: Collection[str]) -> Outcome:
    if type(reply) is not dict or type(reply.get("id")) is not int or reply["id"] != number:
        raise ChildStopped("protocol")
    if _has(reply, "id", "value", "changed", "cpu"):
        changed, reported = reply["changed"], reply["cpu"]
        if type(changed) is bool and type(reported) is float:
            claimed = reported if 0 <= reported < math.inf else 0.0
            return Value(reply["value"], changed, claimed if cpu is None else cpu)
    elif _has(reply, "id", "raised", "detail"):
        if _is_text(reply["raised"], MAX_NAME) and _is_text(reply["detail"], MAX_DETAIL):
            return Raised(exception_name(reply["raised"]), reply["detail"])
    elif _has(reply, "id", "malformed"):
        if _is_text(reply["malformed"], MAX_DETAIL):
            return Malformed(reply["malformed"])
    elif _has(reply, "id", "unsuitable"):
        if _is_text(reply["unsuitable"], MAX_NAME) and reply["unsuitable"] in UNSUITABLE:
            return UNSUITABLE[reply["unsuitable"]]
    elif _has(reply, "id", "forbidden") and _is_text(reply["forbidden"], MAX_NAME) and reply["forbidden"] in forbidden:
        return Unsuitable("forbidden", reply["forbidden"])
    raise ChildStopped("protocol")


def _has(message: Any, *fields: str) -> bool:
    """Whether it is a dictionary of exactly these fields."""
    return type(message) is dict and message.keys() == set(fields)


def _is_text(value: Any, longest: int) -> bool:
    return type(value) is str and len(value) <= longest
