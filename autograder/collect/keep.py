"""A copy of what is graded, beside its grade, so that ``show`` and an appeal find it when the inbox has moved."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.collect.download import File
from autograder.collect.found import Attempt
from autograder.submission.disk import MAX_MEMBERS, Refused, walk
from autograder.text import printable

COPY = "submission"  # the folder in a student's folder of grades
MAX_KEPT = 100_000_000  # bytes of one submission


@dataclass(frozen=True)
class Kept:
    """``path`` is what to grade. ``sha256`` is that of the copy, empty where there is none; ``notes`` say why files are
    left out of what is graded.
    """

    path: Path
    sha256: str
    notes: tuple[str, ...] = ()


def keep(attempt: Attempt, folder: Path) -> Kept:
    """Copy what was handed in into ``folder``.

    What lies in one place is graded there, and copied as a whole or, if it is too large, a link or a pipe, not at all.
    What has to be put together is graded from the copy; files that cannot be read are left out of it, and said.

    Raises:
        OSError: ``folder`` cannot be written.
    """
    copy = folder / COPY
    if attempt.path is None:
        notes: list[str] = []
        digest = _copy(attempt.files, copy, notes)
        return Kept(copy, digest, tuple(notes))
    try:
        files = _files(attempt.path)
    except (Refused, OSError):
        shutil.rmtree(copy, ignore_errors=True)
        return Kept(attempt.path, "")
    left: list[str] = []
    digest = _copy(files, copy, left)
    if left:
        shutil.rmtree(copy, ignore_errors=True)
    return Kept(attempt.path, "" if left else digest)


def kept_copy(folder: Path, graded: Path) -> Path | None:
    """The copy in ``folder`` of what was ``graded``; None where none was kept."""
    copy = folder / COPY
    if graded == copy:
        return copy if copy.is_dir() else None
    within = copy / graded.name
    return within if within.exists() else None


def _files(path: Path) -> dict[str, File]:
    """A file or folder on disk under its own name. Links and devices are not copied: nothing is read from them."""
    if path.is_dir() and not path.is_symlink():
        found = {f"{path.name}/{name}": child for name, child in walk(path)}
        return {name: File(Path(child.path)) for name, child in found.items() if child.is_file(follow_symlinks=False)}
    return {path.name: File(path)}


def _copy(files: Mapping[str, File], copy: Path, notes: list[str]) -> str:
    """Write the files to ``copy``, whole or not at all; SHA-256 of their names and contents."""
    beside = copy.with_name(f".{copy.name}.{os.getpid()}")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    hashes: list[tuple[str, str]] = []
    left = MAX_KEPT
    try:
        for name, file in sorted(files.items()):
            if len(hashes) == MAX_MEMBERS:
                notes.append(f"The submission holds more than {MAX_MEMBERS} files; the others were left out.")
                break
            target = beside / name
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                digest, size = _write(file, target, left)
            except (Refused, OSError, ValueError, RuntimeError, NotImplementedError, zipfile.BadZipFile) as error:
                cause = file.problem or (str(error) if isinstance(error, _TooLarge) else "could not be read")
                notes.append(f"{printable(name)} was left out because it {cause}.")
                with contextlib.suppress(OSError):
                    target.unlink()
                continue
            left -= size
            hashes.append((name, digest))
        shutil.rmtree(copy, ignore_errors=True)
        beside.replace(copy)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return tree_hash(hashes)


def tree_hash(hashes: Iterable[tuple[str, str]]) -> str:
    """SHA-256 of lines ``<SHA-256 of the content>  <name>``, by name, as ``sha256sum`` writes them."""
    lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(hashes))
    return hashlib.sha256(lines.encode("utf-8", "surrogateescape")).hexdigest()


class _TooLarge(ValueError):
    pass


def _write(file: File, target: Path, most: int) -> tuple[str, int]:
    digest, size = hashlib.sha256(), 0
    with file.open() as given, target.open("xb") as made:
        while chunk := given.read(1 << 16):
            size += len(chunk)
            if size > most:
                raise _TooLarge(f"makes the submission larger than {MAX_KEPT // 10**6} MB")
            digest.update(chunk)
            made.write(chunk)
    return digest.hexdigest(), size
