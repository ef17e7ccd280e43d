"""What stands already where a release is to be written, and may not be lost or go out with it."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from autograder.course import CourseError
from autograder.release.pieces import Piece, git_pieces


def check_standing(folder: Path, entries: Mapping[str, bytes], *, force: bool) -> None:
    """What ``folder`` holds has been written by a release, and is as that release wrote it, or with ``force`` need not
    be. The archive beside it says how that was. A repository may stand there.

    Raises:
        CourseError: something else stands there, or a person has changed a file that would be replaced.
    """
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


def beside(folder: Path) -> Iterator[Piece]:
    """What would go out with a release: the history of the repository that stands there.

    Raises:
        Unreadable: it cannot be searched.
    """
    if (folder / ".git").exists():
        yield from git_pieces(folder)


def _strays(folder: Path, entries: Mapping[str, bytes]) -> list[str]:
    found = []
    for file in sorted(folder.rglob("*")):
        name = file.relative_to(folder).as_posix()
        is_file = file.is_symlink() or not file.is_dir()
        if is_file and (file.is_symlink() or (name not in entries and name.split("/")[0] != ".git")):
            found.append(name)
    return found


def _edited(folder: Path, entries: Mapping[str, bytes]) -> list[str]:
    there = {name: (folder / name).read_bytes() for name in entries if (folder / name).is_file()}
    differing = [name for name, content in there.items() if content != entries[name]]
    written = _written(folder) if differing else {}
    return sorted(name for name in differing if there[name] != written.get(name))


def _written(folder: Path) -> dict[str, bytes]:
    """The files of the last release, by the archive that it left beside the folder; none if that is gone."""
    try:
        with zipfile.ZipFile(folder.parent / f"{folder.name}.zip") as archive:
            return {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}
    except (OSError, RuntimeError, zipfile.BadZipFile, zlib.error):  # gone, or not as a release writes it
        return {}
