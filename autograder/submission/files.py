"""What was handed in, as names and bytes: nothing is executed, extracted or followed, and every read is bounded."""

from __future__ import annotations

import re
import stat
import unicodedata
import zipfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple

from autograder.submission.disk import (
    MAX_DEPTH,
    MAX_MEMBERS,
    MAX_NAME,
    Refused,
    RegularFile,
    ignored,
    listing,
    readable,
    walk,
)

MAX_FILES = 50  # Python files and notebooks
MAX_SOURCE = 900_000  # bytes of Python source in one submission
MAX_NOTEBOOK = 20_000_000  # bytes of one notebook
MAX_NOTEBOOKS = 60_000_000  # bytes of all notebooks together
MAX_DIRECTORY = 2_000_000  # bytes of a zip archive's table of contents
MAX_PACKED = 100_000_000  # bytes read of a zip archive; the members that are not wanted are not read

SUFFIXES = (".py", ".ipynb", ".zip")
ARCHIVES = (".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".zst")  # said to be refused, never passed over


class _Entry(NamedTuple):
    """A file that was found; where it must not be read, ``problem`` continues the sentence "<name> …"."""

    name: str
    open: Callable[[], IO[bytes]]
    problem: str = ""


class _Archive(RegularFile):
    """A zip archive that is read within limits, whatever it says of the size and place of its members.

    A huge single read is refused, so that zipfile never parses a table of contents of any size. All reads together are
    bounded, since members may overlap, and since data may unpack to nothing.
    """

    _unread = MAX_PACKED

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > MAX_DIRECTORY:
            raise zipfile.BadZipFile("table of contents too large")
        data = super().read(size) or b""
        self._unread -= len(data)
        if self._unread < 0:
            raise Refused("The Python files and notebooks take up more than 100 MB of the archive.")
        return data


def collect(path: Path, notes: list[str]) -> dict[str, bytes]:
    """The Python files and notebooks at ``path``: name relative to the submission, with ``/`` → content.

    A folder that holds nothing but one zip archive is that archive.

    Raises:
        Refused: the submission as a whole is not accepted.
        OSError: ``path`` cannot be read.
    """
    kind, suffix = path.lstat().st_mode, path.suffix.lower()
    if stat.S_ISLNK(kind):
        raise Refused(f"{path.name} is a link, and links are not followed.")
    if stat.S_ISDIR(kind):
        content = listing(path)
        if len(content) == 1 and Path(content[0].name).suffix.lower() == ".zip":
            return collect(Path(content[0].path), notes)
        return _select(_folder_entries(path), notes)
    if suffix == ".zip":
        try:
            with _Archive(path) as file, zipfile.ZipFile(file) as archive:
                return _select(_zip_entries(archive), notes)
        except (Refused, PermissionError):
            raise
        except Exception:  # a forged archive makes zipfile raise almost any exception
            raise Refused(f"{path.name} could not be opened as a zip archive.") from None
    if suffix in SUFFIXES:
        return _select([_Entry(readable(path.name), partial(RegularFile, path))], notes)
    raise Refused(f"{path.name} is not a .py, .ipynb or .zip file: hand in one of those, or a folder.")


def _folder_entries(root: Path) -> Iterator[_Entry]:
    for name, child in walk(root):
        problem = "" if child.is_file(follow_symlinks=False) else "is a link, a pipe, a socket or a device"
        yield _Entry(name, partial(RegularFile, child.path), problem)


def _zip_entries(archive: zipfile.ZipFile) -> Iterator[_Entry]:
    if len(archive.infolist()) > MAX_MEMBERS:
        raise Refused(f"The submission holds more than {MAX_MEMBERS} files and folders.")
    for info in archive.infolist():
        problem = ""
        if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
            problem = "is a link, a pipe, a socket or a device"
        elif info.flag_bits & 1:
            problem = "is encrypted"
        elif info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            problem = "is compressed in an unusual way"
        if not info.is_dir():
            yield _Entry(info.filename, partial(archive.open, info), problem)


def _select(entries: Iterable[_Entry], notes: list[str]) -> dict[str, bytes]:
    """The contents of the Python files and notebooks; every entry is checked."""
    files: dict[str, bytes] = {}
    seen: dict[str, str] = {}
    sizes = {".py": 0, ".ipynb": 0}
    for entry in entries:
        if len(entry.name) > MAX_NAME:  # before it is normalised, which may take the square of its length
            notes.append(f"{_short(entry.name)} was ignored because its name is longer than {MAX_NAME} characters.")
            continue
        name = _clean(entry.name)
        if any(map(ignored, name.split("/"))):
            continue
        if name.count("/") >= MAX_DEPTH:
            notes.append(f"{_short(name)} was ignored because it lies deeper than {MAX_DEPTH} folders.")
            continue
        if entry.problem:
            notes.append(f"{name} was ignored because it {entry.problem}.")
            continue
        if (key := name.casefold()) in seen:
            raise Refused(f"The submission was refused: many computers cannot tell {seen[key]} and {name} apart.")
        seen[key] = name
        suffix = PurePosixPath(name).suffix.lower()
        if suffix == ".zip":
            notes.append(f"{name} was ignored because it is a zip archive within the submission.")
        if suffix not in sizes:
            continue
        if len(files) == MAX_FILES:
            raise Refused(f"The submission holds more than {MAX_FILES} Python files and notebooks.")
        if suffix == ".ipynb" and sizes[suffix] > MAX_NOTEBOOKS:
            notes.append(f"{name} was ignored because the notebooks before it are larger than 60 MB.")
            continue
        content = _bounded(entry, MAX_SOURCE if suffix == ".py" else MAX_NOTEBOOK)
        sizes[suffix] += len(content)  # also what is ignored took its time
        if len(content) > MAX_NOTEBOOK:
            notes.append(f"{name} was ignored because it is larger than 20 MB: clear its outputs and save it.")
            continue
        if sizes[".py"] > MAX_SOURCE:
            raise Refused("The submission holds more than 900 kB of Python source.")
        files[str(PurePosixPath(name).with_suffix(suffix))] = content
    return files


def _short(name: str) -> str:
    return name if len(name) <= 80 else f"{name[:80]}…"


def _clean(name: str) -> str:
    """The name with ``/`` between its parts. Raises :class:`Refused` if it leads elsewhere or is not text."""
    name = unicodedata.normalize("NFKC", name).replace("\\", "/")
    parts = name.split("/")
    if name.startswith("/") or ".." in parts or re.match(r"[A-Za-z]:", name):
        raise Refused(f"The submission was refused: the path {name} leads out of it.")
    if any(unicodedata.category(char) in ("Cc", "Cs") for char in name):
        raise Refused(f"The submission was refused: the file name {name} contains control characters.")
    return "/".join(part for part in parts if part not in ("", "."))


def _bounded(entry: _Entry, limit: int) -> bytes:
    """The content, or a little more than ``limit`` bytes of it: declared sizes are not believed."""
    content = bytearray()
    with entry.open() as stream:
        while len(content) <= limit and (chunk := stream.read(1 << 16)):
            content += chunk
    return bytes(content)
