"""Answers of the reference with something wrong in it, kept for other judges and later runs.

They stand in the user's cache and hold values that are near the expected ones: only their owner may read them. Each
file begins with a digest of the rest and a stamp of everything that its content depends on.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from autograder.course import Assignment, Case, Exercise
from autograder.outcome import Outcome, Raised, Value
from autograder.sandbox.wire import WireError, decode, encode

HEAVIEST = 1 << 20  # bytes of one frame
DIGEST = hashlib.sha256().digest_size


def file_of(kind: str, assignment: Assignment, exercise: Exercise, seed: str, names: Iterable[str] = ()) -> Path:
    """Below ``AUTOGRADER_CACHE``, by default the folder ``autograder`` of the user's cache."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = Path(os.environ.get("AUTOGRADER_CACHE") or Path(home) / "autograder")
    name = "-".join([exercise.name, *(hashlib.sha256(text.encode()).hexdigest()[:16] for text in (seed, *names))])
    return folder / kind / assignment.name / name


def packed(outcomes: Mapping[Case, Outcome], cases: Sequence[Case]) -> list[Any]:
    """What :func:`unpacked` reads, for those of the cases that were asked. Neither seconds, which differ from run to
    run, nor an exception's text, which nobody compares.

    Raises:
        WireError: one of them came to no answer.
    """
    said: list[Any] = []
    for number, case in enumerate(cases):
        match outcomes.get(case):
            case Value(tree, changed):
                said.append([number, "value", tree, changed])
            case Raised(name):
                said.append([number, "raised", name])
            case None:
                pass
            case other:
                raise WireError(f"{type(other).__name__} explains nothing")
    return said


def unpacked(said: Iterable[Any], cases: Sequence[Case]) -> dict[Case, Outcome]:
    """
    Raises:
        ValueError, TypeError, LookupError: it was packed by nobody.
    """
    return {cases[number]: Raised(*rest) if what == "raised" else Value(*rest) for number, what, *rest in said}


def frame(tree: Any) -> bytes:
    """
    Raises:
        WireError: it is larger than is kept, or than the wire carries.
    """
    if len(encoded := encode(tree)) > HEAVIEST:
        raise WireError("larger than is kept")
    return encoded


def kept(path: Path, stamp: str) -> list[bytes] | None:
    """The frames that were kept under this stamp; None where there are none, or where the file is damaged."""
    try:
        content = path.read_bytes()
        digest, body = content[:DIGEST], content[DIGEST:]
        if hashlib.sha256(body).digest() != digest:
            return None
        first, *frames = _split(body)
        return frames if decode(first) == stamp else None
    except (OSError, ValueError):
        return None


def keep(path: Path, stamp: str, frames: Iterable[bytes]) -> None:
    """Put the frames there for others, at once or not at all; one file replaces that of an earlier stamp.

    A cache that cannot be written is none: nothing is raised.
    """
    body = b"".join(len(frame).to_bytes(4, "little") + frame for frame in [encode(stamp), *frames])
    temporary = None
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:  # readable by its owner alone
            temporary = file.name
            file.write(hashlib.sha256(body).digest() + body)
        os.replace(temporary, path)
    except OSError:
        if temporary:
            with contextlib.suppress(OSError):
                Path(temporary).unlink(missing_ok=True)


def _split(body: bytes) -> Iterator[bytes]:
    start = 0
    while start < len(body):
        size = int.from_bytes(body[start : start + 4], "little")
        yield body[start + 4 : start + 4 + size]
        start += 4 + size
