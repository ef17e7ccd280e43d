"""What a teacher has downloaded, a folder or a zip archive, as one list of names. Nothing is opened but what is asked.

Nothing leads out of it: no link is followed, an archive with a name that leads elsewhere is refused, and every listing
and every read is bounded.
"""

from __future__ import annotations

import contextlib
import os
import stat
import zipfile
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO

from autograder.submission.disk import MAX_DEPTH, MAX_NAME, Refused, RegularFile, ignored
from autograder.text import printable, shortened

MAX_LISTED = 200_000  # files and folders of one download
MAX_DIRECTORY = 50_000_000  # bytes of a zip archive's table of contents
MAX_METADATA = 20_000_000  # bytes of one file that says who handed in what


class CollectError(Exception):
    """Who handed in what cannot be told without guessing; each argument is a sentence that says what to do."""

    def __str__(self) -> str:
        return "\n".join(self.args)


@dataclass(frozen=True)
class File:
    """A file on disk, or a ``member`` of the zip archive at ``place``.

    ``problem`` continues the sentence "<name> was left out because it …" where it must not be read.
    """

    place: Path
    member: str = ""
    problem: str = ""

    @contextlib.contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """The content.

        Raises:
            Refused: it is no regular file, or a damaged or encrypted member.
            OSError: it cannot be read.
        """
        if self.problem:
            raise Refused(f"{printable(self.member or self.place.name)} {self.problem}.")
        if not self.member:
            with RegularFile(self.place) as file:
                yield file
            return
        with _opened(self.place) as archive, archive.open(self.member) as file:
            yield file


class _Archive(RegularFile):
    """zipfile asks for a table of contents of any size in one read."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > MAX_DIRECTORY:
            raise zipfile.BadZipFile("table of contents too large")
        return super().read(size) or b""


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with _Archive(path) as file, zipfile.ZipFile(file) as archive:
            yield archive
    except (Refused, CollectError, OSError):
        raise
    except Exception:  # a forged archive makes zipfile raise almost any exception
        raise Refused(f"{printable(path.name)} could not be opened as a zip archive.") from None


@dataclass(frozen=True)
class Download:
    """A folder or an archive, or a folder in one.

    Attributes:
        place: the folder or archive on disk.
        name: what it is called, without ``.zip``.
        files: name within it, with ``/`` → file. What belongs to the system (``__MACOSX``, dot files) is left out.
        folders: the names of all folders, also of empty ones.
        repositories: the folders that are clones of git.
        complete: False where it holds more than is listed.
        is_archive: whether it is a zip archive.
    """

    place: Path
    name: str
    files: Mapping[str, File]
    folders: frozenset[str] = frozenset()
    repositories: frozenset[str] = frozenset()
    complete: bool = True
    is_archive: bool = False

    @cached_property
    def tops(self) -> dict[str, list[str]]:
        """Each name at the top → the files in it by their names within it; none for a file."""
        tops: dict[str, list[str]] = {}
        for name in self.folders:
            tops.setdefault(name.partition("/")[0], [])
        for name in self.files:
            top, _, rest = name.partition("/")
            below = tops.setdefault(top, [])
            if rest:
                below.append(rest)
        return dict(sorted(tops.items()))

    def is_folder(self, top: str) -> bool:
        return top not in self.files

    def path(self, name: str = "") -> Path | None:
        """Where ``name`` lies on disk; None in an archive."""
        return None if self.is_archive else self.place / name

    def below(self, top: str) -> Download:
        """The folder ``top`` of it."""
        files = {name: self.files[f"{top}/{name}"] for name in self.tops.get(top, ())}
        start = f"{top}/"
        folders = frozenset(name.removeprefix(start) for name in self.folders if name.startswith(start))
        inner = frozenset(name.removeprefix(start) for name in self.repositories if name.startswith(start))
        place = self.place if self.is_archive else self.place / top
        return Download(place, top, files, folders, inner, self.complete, self.is_archive)

    def only(self, tops: set[str]) -> Download:
        """It, without all else at the top."""
        files = {name: file for name, file in self.files.items() if name.partition("/")[0] in tops}
        folders = frozenset(name for name in self.folders if name.partition("/")[0] in tops)
        clones = frozenset(name for name in self.repositories if name.partition("/")[0] in tops)
        return Download(self.place, self.name, files, folders, clones, self.complete, self.is_archive)

    def text(self, name: str) -> str:
        """A file that says who handed in what, in UTF-8 or with the mark of UTF-16.

        Raises:
            CollectError: it cannot be read, or is too long.
        """
        try:
            with self.files[name].open() as file:
                data = file.read(MAX_METADATA + 1)
        except (OSError, Refused, RuntimeError, zipfile.BadZipFile) as error:
            raise CollectError(f"{printable(name)} in {self.place} cannot be read: {_cause(error)}.") from None
        if len(data) > MAX_METADATA:
            raise CollectError(f"{printable(name)} in {self.place} is larger than {MAX_METADATA // 10**6} MB.")
        return decoded(data)


def decoded(data: bytes) -> str:
    """Bytes of a table or an information file as text; U+FFFD stands for what is none."""
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    return data.decode(encoding, "replace")


def _cause(error: Exception) -> str:
    return str(error.strerror if isinstance(error, OSError) else error).rstrip(".") or type(error).__name__


def listed(path: Path) -> Download:
    """Everything in the folder at ``path``, level by level, so that what is cut off lies deep.

    Raises:
        OSError: it cannot be read.
    """
    files: dict[str, File] = {}
    folders: set[str] = set()
    clones: set[str] = set()
    todo, complete = deque([("", path)]), True
    while todo and complete:
        prefix, folder = todo.popleft()
        try:
            with os.scandir(folder) as children:
                for child in children:
                    if len(files) + len(folders) >= MAX_LISTED:
                        complete = False
                        break
                    name = prefix + child.name
                    if child.name == ".git" and prefix:
                        clones.add(prefix[:-1])
                    if ignored(child.name) or len(name) > MAX_NAME:
                        continue
                    if not child.is_dir(follow_symlinks=False):
                        problem = "" if child.is_file(follow_symlinks=False) else "is a link, a pipe or a device"
                        files[name] = File(Path(child.path), problem=problem)
                    else:
                        folders.add(name)
                        if name.count("/") < MAX_DEPTH:
                            todo.append((f"{name}/", Path(child.path)))
        except OSError:
            if not prefix:
                raise
    return Download(path, path.name, files, frozenset(folders), frozenset(clones), complete)


def unpacked(path: Path) -> Download:
    """The names in the zip archive at ``path``.

    Raises:
        Refused: it cannot be opened, or a name in it leads out of it or stands there twice.
        OSError: it cannot be read.
    """
    files: dict[str, File] = {}
    folders: set[str] = set()
    clones: set[str] = set()
    with _opened(path) as archive:
        members = archive.infolist()
        for info in members[:MAX_LISTED]:
            parts = _parts(info, path)
            if ".git" in parts[1:]:
                clones.add("/".join(parts[: parts.index(".git", 1)]))
            name = "/".join(parts)
            if not parts or any(map(ignored, parts)) or len(name) > MAX_NAME or len(parts) > MAX_DEPTH:
                continue
            folders.update("/".join(parts[:n]) for n in range(1, len(parts)))
            if info.is_dir():
                folders.add(name)
                continue
            problem = ""
            if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
                problem = "is a link, a pipe or a device"
            elif info.flag_bits & 1:
                problem = "is encrypted"
            if name in files:
                raise Refused(f"{printable(path.name)} holds {shortened(printable(name), 80)} twice.")
            files[name] = File(path, info.filename, problem)
    if both := sorted(folders & set(files)):
        raise Refused(f"{printable(path.name)} holds {shortened(printable(both[0]), 80)} as a file and as a folder.")
    complete = len(members) <= MAX_LISTED
    return Download(path, path.stem, files, frozenset(folders), frozenset(clones), complete, is_archive=True)


def _parts(info: zipfile.ZipInfo, path: Path) -> list[str]:
    """The folders and the name of a member. Names without the mark of UTF-8 are often in it all the same."""
    name = info.filename
    if not info.flag_bits & 0x800:
        with contextlib.suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    name = name.replace("\\", "/")
    parts = name.split("/")
    if name.startswith("/") or ".." in parts or name[1:2] == ":" or "\0" in name:
        raise Refused(f"{printable(path.name)} holds {shortened(printable(name), 80)}, which leads out of it.")
    return [part for part in parts if part not in ("", ".")]
