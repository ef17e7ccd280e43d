"""What one call of a submission came to, as the judge knows it. Of ``Value``, ``changed`` is the child's own word."""

from __future__ import annotations

import builtins
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from autograder.sandbox.wire import weight


@dataclass(frozen=True)
class Value:
    """The call returned a tree of arrays and scalars.

    ``changed`` is the child's report that an argument was written to (forgeable); ``cpu`` is in seconds, read by the
    judge from the child's CPU clock. ``said`` is what each criterion said of it last, and beside what.
    """

    tree: Any
    changed: bool = False
    cpu: float = 0.0
    said: dict[int, tuple[tuple[Any, ...], Any]] = field(default_factory=dict, init=False, compare=False, repr=False)

    @cached_property
    def weight(self) -> int:
        """Bytes of memory that the tree takes, roughly."""
        return weight(self.tree)


@dataclass(frozen=True)
class Raised:
    """The call raised. ``name`` is the nearest built-in exception; ``detail`` may hold hidden inputs: staff only."""

    name: str
    detail: str = ""

    def is_a(self, other: str) -> bool:
        """Whether this exception is caught by ``except other``."""
        mine, theirs = getattr(builtins, self.name), getattr(builtins, other)
        return issubclass(mine, theirs)


@dataclass(frozen=True)
class Malformed:
    """The call returned something that is no tree of arrays; ``detail`` says what, for staff only."""

    detail: str


@dataclass(frozen=True)
class Stopped:
    """The child had to be ended, or ended itself."""

    reason: Literal["time", "waiting", "budget", "answers", "died", "protocol", "threads"]


@dataclass(frozen=True)
class NotImported:
    """The part could not be imported, so nothing could be called; ``detail`` is the judge's own sentence about it."""

    detail: str


@dataclass(frozen=True)
class Unsuitable:
    """The exercise is not defined, or not with the stub's parameters, or it used what is forbidden, or it answered the
    same question differently when asked again, or returned far more than could be an answer, or cannot be read for
    what is forbidden.
    """

    what: Literal["missing", "parameters", "forbidden", "inconsistent", "oversized", "unread"]
    name: str = ""


Outcome = Value | Raised | Malformed | Stopped | NotImported | Unsuitable


def exception_name(name: object) -> str:
    """``name`` if it is that of a built-in exception, else ``"Exception"``: class names could carry inputs out."""
    known = getattr(builtins, name, None) if isinstance(name, str) else None
    return str(name) if isinstance(known, type) and issubclass(known, BaseException) else "Exception"
