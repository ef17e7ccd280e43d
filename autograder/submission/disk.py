"""Files and folders on disk: only regular files are ever opened, no link is followed, and every listing is bounded."""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

MAX_MEMBERS = 2_000  # files and folders of any kind, those that are ignored among them
MAX_NAME = 400  # characters of a name within a submission, its folders included
MAX_DEPTH = 30  # folders

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SKIPPED = {"__MACOSX", "__pycache__", "site-packages"}


class Refused(Exception):
    """A file or a whole submission is not accepted; the message is one sentence for the student."""


class RegularFile(io.FileIO):
    """A regular file, opened for reading.

    Opening a pipe waits for a writer and opening a device may do anything, so that neither is opened, nor anything that
    a link leads to. What takes the file's place between the look and the opening is opened without waiting, and closed.

    Raises:
        Refused: it is no regular file.
        OSError: it cannot be opened.
    """

    def __init__(self, path: str | Path) -> None:
        if stat.S_ISREG(os.lstat(path).st_mode):
            super().__init__(path, opener=_open)
            if stat.S_ISREG(os.fstat(self.fileno()).st_mode):
                return
            self.close()
        raise Refused(f"{Path(path).name} is a link, a pipe, a socket or a device, not a file.")


def _open(path: str, flags: int) -> int:
    for name in ("O_NONBLOCK", "O_NOFOLLOW", "O_NOCTTY"):  # Windows knows none of them
        flags |= getattr(os, name, 0)
    return os.open(path, flags)


def ignored(name: str) -> bool:
    """Whether a file or folder of this name belongs to the system and not to the student."""
    return name.startswith(".") or name in _SKIPPED


def listing(folder: str | Path) -> list[os.DirEntry[str]]:
    """What ``folder`` holds, by name, without what is ignored.

    Raises:
        Refused: it holds more than a submission may.
    """
    with os.scandir(folder) as children:
        found = list(islice(children, MAX_MEMBERS + 1))
    if len(found) > MAX_MEMBERS:
        raise Refused(f"The submission holds more than {MAX_MEMBERS} files and folders.")
    return sorted((child for child in found if not ignored(child.name)), key=lambda child: child.name)


def readable(name: str) -> str:
    """The name of a file with U+FFFD for what is not UTF-8."""
    return os.fsencode(name).decode("utf-8", "replace")


def walk(root: str | Path) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Everything below ``root`` that is no folder: its name relative to ``root``, with ``/``, and what stands there.

    The names are :func:`readable`. A folder whose name is too long or that lies too deep
    is not entered but given itself.

    Raises:
        Refused: it is more than a submission may hold.
    """
    members, folders = 0, [("", str(root))]
    while folders:
        prefix, folder = folders.pop()
        children = listing(folder)
        members += len(children)
        if members > MAX_MEMBERS:
            raise Refused(f"The submission holds more than {MAX_MEMBERS} files and folders.")
        for child in children:
            name = prefix + readable(child.name)
            if child.is_dir(follow_symlinks=False) and len(name) <= MAX_NAME and name.count("/") < MAX_DEPTH:
                folders.append((f"{name}/", child.path))
            else:
                yield name, child


def newest_file(path: Path) -> datetime | None:
    """When the newest file of the submission at ``path`` was written, in UTC; None if no file tells.

    Folders do not count, since unpacking, cloning and running change their time, nor do files that are ignored, nor
    times that are none (before the year 1 or after 9999). Never raises for what it finds.
    """
    times = []
    try:
        here = os.lstat(path)
        found = [here] if stat.S_ISREG(here.st_mode) else []
        if stat.S_ISDIR(here.st_mode):
            found = [child.stat(follow_symlinks=False) for _, child in walk(path)]
        times = [time for status in found if stat.S_ISREG(status.st_mode) and (time := _time(status.st_mtime))]
    except (OSError, Refused):
        return None
    return max(times, default=None)


def _time(seconds: float) -> datetime | None:
    """Seconds since 1970 as a time, if they are one."""
    try:
        return _EPOCH + timedelta(seconds=seconds)
    except (OverflowError, ValueError):
        return None
