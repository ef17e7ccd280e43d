"""What stands already where a release is to be written, and may not be lost or go out with it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from autograder.course import CourseError
from autograder.places import check_folder
from autograder.release.archive import entries_written
from autograder.release.pieces import Piece, git_pieces


def check_standing(folder: Path, entries: Mapping[str, bytes], *, force: bool) -> None:
    """What ``folder`` holds has been written by a release, and is as that release wrote it, or with ``force`` need not
    be. The archive beside it says how that was, if it is that release's own. A repository may stand there.

    Raises:
        CourseError: something else stands there, or a person has changed a file that would be replaced.
    """
    check_folder(folder)
    if strays := _strays(folder, entries):
        listed = [f"  {name}" for name in strays]
        raise CourseError(f"{folder} holds what is no part of the release: move it away, and release again.", *listed)
    if not force and (edited := _edited(folder, entries)):
        listed = [f"  {name}" for name in edited]
        raise CourseError(
            f"{folder} holds files that are not as the last release wrote them: keep your changes elsewhere, "
            "or replace the files with --force.",
            *listed,
        )
    check_archive(_archive(folder), force=force)


def check_archive(path: Path, *, force: bool) -> None:
    """Nothing stands at ``path``, or an archive that a release wrote there, or with ``force`` any file.

    Raises:
        CourseError: something else stands there.
    """
    check_folder(path.parent)
    if path.is_dir():
        raise CourseError(f"{path} is a folder, where the archive is to go: move it away, and release again.")
    if not force and os.path.lexists(path) and _written(path) is None:
        raise CourseError(f"{path} was not written by a release: move it away, or replace it with --force.")


def beside(folder: Path) -> Iterator[Piece]:
    """What would go out with a release: the history of the repository that stands there.

    Raises:
        Unreadable: it cannot be searched.
    """
    if (folder / ".git").exists():
        yield from git_pieces(folder)


def _strays(folder: Path, entries: Mapping[str, bytes]) -> list[str]:
    found = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            stray = True
        elif path.is_dir():
            stray = name in entries
        else:
            stray = name not in entries and name.split("/")[0] != ".git"
        if stray:
            found.append(name)
    return found


def _edited(folder: Path, entries: Mapping[str, bytes]) -> list[str]:
    there = {name: (folder / name).read_bytes() for name in entries if (folder / name).is_file()}
    differing = [name for name, content in there.items() if content != entries[name]]
    written = _written(_archive(folder)) or {} if differing else {}
    return sorted(name for name in differing if there[name] != written.get(f"{folder.name}/{name}"))


def _archive(folder: Path) -> Path:
    """What a release leaves beside the folder, of the same files."""
    return folder.parent / f"{folder.name}.zip"


def _written(path: Path) -> dict[str, bytes] | None:
    """The entries of an archive that a release left at ``path``; None where nothing or something else stands there."""
    if path.is_symlink() or not path.is_file():
        return None
    return entries_written(path)
