"""The folder of grades: each file is written whole or not at all, and read as what it was written from."""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from autograder.collect.entry import HANDED_IN, HandIn, read_hand_in
from autograder.course import CourseError
from autograder.folders import folder_name
from autograder.report import feedback_html
from autograder.results import (
    ExerciseResult,
    NewerResults,
    NotGraded,
    RunRecord,
    SubmissionResult,
    from_gradescope,
    to_gradescope,
)

RESULTS = ("results.json", "feedback.html")
EARLIER = "earlier"  # holds the last grade of a submission that could not be graded again

Graded = tuple[SubmissionResult, RunRecord]


class ResultsError(Exception):
    """Results that were written earlier cannot be read; the message is one sentence that names them."""


def folder_of(out: Path, student: str) -> Path:
    """Where a student's results stand: ``out/<student>``."""
    return out / folder_name(student)


def write_results(folder: Path, result: SubmissionResult, record: RunRecord) -> None:
    """``run.json`` holds the key and comes last: it says that the rest is there.

    Where there is no grade, ``run.json`` says why and the last grade is kept aside.
    """
    (folder / "run.json").unlink(missing_ok=True)
    if record.not_graded:
        for name in RESULTS:
            with contextlib.suppress(FileNotFoundError):
                (folder / EARLIER).mkdir(exist_ok=True)
                (folder / name).replace(folder / EARLIER / name)
    else:
        write_json(folder / "results.json", to_gradescope(result))
        write_text(folder / "feedback.html", feedback_html(result))
        shutil.rmtree(folder / EARLIER, ignore_errors=True)
    write_json(folder / "run.json", dataclasses.asdict(record))


def read_results(folder: Path) -> Graded:
    """What :func:`write_results` wrote.

    Raises:
        ResultsError: it is not as it was written.
    """
    try:
        facts = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        without = facts.pop("not_graded", None)
        record = RunRecord(**facts, not_graded=NotGraded(**without) if without else None)
        if record.not_graded:
            return record.not_graded.result(), record
        return from_gradescope(json.loads((folder / "results.json").read_text(encoding="utf-8"))), record
    except NewerResults:
        raise ResultsError(f"Its earlier results in {folder} were written by a newer grader.") from None
    except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
        raise ResultsError(f"Its earlier results are damaged: delete {folder} and grade again.") from None


def known_key(folder: Path) -> dict[str, str]:
    """The key under which a submission was last graded; empty where it was not."""
    try:
        return read_results(folder)[1].key
    except (OSError, ResultsError):
        return {}


def read_all(out: Path, without: Iterable[str] = ()) -> list[Graded]:
    """Every submission below ``out``, by student, ``without`` those of some students; a damaged one is not graded."""
    left_out = set(without)
    folders = {folder_of(out, student) for student in left_out}
    known: dict[ExerciseResult, ExerciseResult] = {}
    found = []
    for path in sorted(out.glob("*/run.json")):
        if path.parent in folders:
            continue
        try:
            graded = read_results(path.parent)
        except ResultsError as error:
            damaged = NotGraded(path.parent.name, "", "", str(error))
            graded = damaged.result(), RunRecord(not_graded=damaged)
        if graded[0].student not in left_out:
            found.append((shared(graded[0], known), graded[1]))
    return found


def shared(result: SubmissionResult, known: dict[ExerciseResult, ExerciseResult]) -> SubmissionResult:
    """The same result, whose exercises are those of ``known`` that are equal: a class has the same few many times."""
    return dataclasses.replace(result, exercises=tuple(known.setdefault(one, one) for one in result.exercises))


def results_in(out: Path) -> list[Graded]:
    """Every submission that was graded into ``out``.

    Raises:
        CourseError: there is none.
        ResultsError: the folder cannot be read.
    """
    if graded := read_all(out):
        return graded
    if out.is_dir() and not os.access(out, os.R_OK | os.X_OK):
        raise ResultsError(f"{out} cannot be read: permission denied.")
    raise CourseError(f"{out} holds no results: give a folder that grade wrote with -o.")


def hand_ins(out: Path) -> list[HandIn]:
    """The facts of every hand-in that was graded into ``out``, as far as they can be read."""
    found = []
    for path in sorted(out.glob(f"*/{HANDED_IN}")):
        with contextlib.suppress(OSError, ValueError):
            if hand_in := read_hand_in(path.parent):
                found.append(hand_in)
    return found


def read_run(out: Path) -> dict[str, Any]:
    """The facts of the last run into ``out``.

    Raises:
        ResultsError: there is no such file, or it is not as it was written.
    """
    path = out / "run.json"
    with contextlib.suppress(FileNotFoundError, ValueError):
        if isinstance(run := json.loads(path.read_text(encoding="utf-8")), dict):
            return run
    raise ResultsError(f"{path} is missing or damaged: grade again, nothing that is unchanged is graded anew.")


def assignments_in(out: Path) -> set[str]:
    """Whose results stand below ``out``, as far as they can be read."""
    found = set()
    for path in out.glob("*/run.json"):
        with contextlib.suppress(OSError, ResultsError):
            found.add(read_results(path.parent)[0].assignment)
    return found


def write_json(path: Path, data: Any) -> None:
    write_text(path, json.dumps(data, indent=2) + "\n")  # escaped, since a path may hold what UTF-8 does not


def write_text(path: Path, text: str) -> None:
    """:func:`write_pieces` of one."""
    write_pieces(path, [text])


def write_pieces(path: Path, pieces: Iterable[str]) -> None:
    """:func:`write_bytes` of UTF-8, without ever holding the whole."""
    with _beside(path) as temporary:
        with temporary.open("w", encoding="utf-8", newline="") as file:
            file.writelines(pieces)
        temporary.replace(path)


def write_bytes(path: Path, content: bytes) -> None:
    """Replace the file at once or not at all."""
    with _beside(path) as temporary:
        temporary.write_bytes(content)
        temporary.replace(path)


def try_to_write(path: Path) -> None:
    """Raise what would keep :func:`write_text` from writing there; change nothing."""
    with _beside(path) as temporary:
        temporary.touch()
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))


@contextlib.contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """A temporary file to write in place of ``path``, whose name an error then gives."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.parent / f".{path.name}.{os.getpid()}"
    try:
        yield temporary
    except OSError as error:
        error.filename = str(path)
        raise
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()
