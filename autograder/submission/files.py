"""What was handed in, as names and bytes: nothing is executed, extracted or followed, and every read is bounded."""

from __future__ import annotations

import re
import stat
import unicodedata
from collections.abc import Iterable
from functools import partial
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from autograder.results import Attention
from autograder.submission.archives import Budget, Entry, archive_entries, bounded, folder_entries, is_archive
from autograder.submission.disk import (
    ENVIRONMENTS,
    MAX_DEPTH,
    MAX_MEMBERS,
    MAX_NAME,
    Refused,
    RegularFile,
    ignored,
    listing,
    readable,
)

MAX_FILES = 200  # Python files and notebooks; the folder that students receive holds some fifty
MAX_SOURCE = 900_000  # bytes of Python source in one submission
MAX_NOTEBOOK = 20_000_000  # bytes of one notebook
MAX_NOTEBOOKS = 60_000_000  # bytes of all notebooks together
MAX_ARCHIVES = 10  # archives within archives
MAX_NESTED = 2  # archives around a file, one of them the submission itself

SUFFIXES = (".py", ".ipynb", ".zip")
ARCHIVES = (".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".zst")  # looked into or said to be refused
_DOUBLED = re.compile(r"(?i)(.+)(\.py|\.ipynb)(?:\.txt|\.json|\.py|\.ipynb)")

Notes = list[str | Attention]


class Damaged(Refused):
    """An archive that cannot be read."""


class File(NamedTuple):
    """``time`` can be compared within one folder or archive; 0 is unknown."""

    content: bytes
    time: float


def collect(path: Path, notes: Notes) -> dict[str, File]:
    """The Python files and notebooks at ``path``: name relative to the submission, with ``/`` → content.

    A folder that holds nothing but one archive is that archive.

    Raises:
        Refused: the submission as a whole is not accepted.
        OSError: ``path`` cannot be read.
    """
    kind, name = path.lstat().st_mode, readable(path.name)
    if stat.S_ISLNK(kind):
        raise Refused(f"{path.name} is a link, and links are not followed.")
    chosen = _Selection(notes)
    if stat.S_ISDIR(kind):
        content = [child for child in listing(path) if not ignored(child.name)]
        if len(content) == 1 and is_archive(content[0].name):
            return collect(Path(content[0].path), notes)
        chosen.add(folder_entries(path))
    elif is_archive(name):
        chosen.add_archive(path.name, path)
    elif _kind(name):
        chosen.add([Entry(name, partial(RegularFile, path), time=path.lstat().st_mtime)])
    else:
        raise Refused(f"{path.name} is not a .py, .ipynb, .zip or .tar.gz file: hand in one of those, or a folder.")
    return chosen.renamed()


def _kind(name: str) -> str:
    """``.py`` or ``.ipynb``, also for names like ``lab.ipynb.json`` and ``layers.py.txt``; empty for other files."""
    doubled = _DOUBLED.fullmatch(name)
    suffix = (doubled[2] if doubled else PurePosixPath(name).suffix).lower()
    return suffix if suffix in (".py", ".ipynb") else ""


class _Selection:
    """The Python files and notebooks among some entries, those in archives too; every entry is checked."""

    def __init__(self, notes: Notes) -> None:
        self.notes, self.budget = notes, Budget.full()
        self.files: dict[str, File] = {}
        self.seen: dict[str, str] = {}
        self.sizes = {".py": 0, ".ipynb": 0}
        self.members = self.archives = 0
        self.environments: set[str] = set()

    def add(self, entries: Iterable[Entry], prefix: str = "", around: int = 0) -> None:
        """``around``: how many archives stand around these entries."""
        for entry in entries:
            if len(entry.name) > MAX_NAME:  # before it is normalised, which may take the square of its length
                self.left_out(entry.name, f"its name is longer than {MAX_NAME} characters")
                continue
            is_folder, name = entry.name.endswith(("/", "\\")), prefix + _clean(entry.name)
            steps = name.split("/")
            if others := [n for n, step in enumerate(steps) if step in ENVIRONMENTS]:
                self.skip_environment("/".join(steps[: others[0] + 1]))
            elif not any(map(ignored, steps)):
                self.members += 1
                if self.members > MAX_MEMBERS:
                    raise Refused(f"The submission holds more than {MAX_MEMBERS} files and folders.")
                if not is_folder:
                    self.look(name, entry, around)

    def add_archive(self, name: str, packed: Path | bytes, prefix: str = "", around: int = 0) -> None:
        try:
            self.add(archive_entries(name, packed, self.budget), prefix, around + 1)
        except (Refused, PermissionError):
            raise
        except Exception:  # a forged archive makes zipfile and tarfile raise almost any exception
            kind = "zip" if name.lower().endswith(".zip") else "tar"
            raise Damaged(f"{name} could not be opened as a {kind} archive.") from None

    def skip_environment(self, folder: str) -> None:
        if folder not in self.environments:
            self.environments.add(folder)
            self.notes.append(f"{_short(folder)} was ignored because it holds an environment, not your own code.")

    def look(self, name: str, entry: Entry, around: int) -> None:
        if name.count("/") >= MAX_DEPTH:
            self.left_out(name, f"it lies deeper than {MAX_DEPTH} folders")
        elif entry.problem:
            self.left_out(name, f"it {entry.problem}")
        elif is_archive(name):
            self.look_into(name, entry, around)
        elif suffix := _kind(name):
            self.take(name, suffix, entry)

    def look_into(self, name: str, entry: Entry, around: int) -> None:
        self.archives += 1
        if around >= MAX_NESTED:
            self.left_out(name, f"it lies within {MAX_NESTED} other archives")
        elif self.archives > MAX_ARCHIVES:
            self.left_out(name, f"the submission holds more than {MAX_ARCHIVES} archives")
        else:
            with entry.open() as stream:
                data = self.budget.whole(stream)
            try:
                self.add_archive(name, data, f"{name}/", around)
            except Damaged:
                self.left_out(name, "it could not be opened")

    def take(self, name: str, suffix: str, entry: Entry) -> None:
        if (key := name.casefold()) in self.seen:
            raise Refused(f"The submission was refused: many computers cannot tell {self.seen[key]} and {name} apart.")
        self.seen[key] = name
        if len(self.files) == MAX_FILES:
            raise Refused(f"The submission holds more than {MAX_FILES} Python files and notebooks.")
        if suffix == ".ipynb" and self.sizes[suffix] > MAX_NOTEBOOKS:
            self.left_out(name, "the notebooks before it are larger than 60 MB")
            return
        with entry.open() as stream:
            content = bounded(stream, MAX_SOURCE if suffix == ".py" else MAX_NOTEBOOK)
        self.sizes[suffix] += len(content)  # also what is ignored took its time
        if len(content) > MAX_NOTEBOOK:
            self.left_out(name, "it is larger than 20 MB: clear its outputs and save it")
            return
        if self.sizes[".py"] > MAX_SOURCE:
            raise Refused("The submission holds more than 900 kB of Python source.")
        self.files[name] = File(content, entry.time)

    def left_out(self, name: str, why: str) -> None:
        sentence = f"{_short(name)} was ignored because {why}."
        wanted = _kind(name) or is_archive(name)
        self.notes.append(Attention("left out", sentence) if wanted else sentence)

    def renamed(self) -> dict[str, File]:
        """The files, with ``layers.py`` for ``layers.py.txt`` and the like, and suffixes in small letters."""
        found: dict[str, File] = {}
        for name, file in self.files.items():
            if doubled := _DOUBLED.fullmatch(name):
                plain = doubled[1] + doubled[2].lower()
                if plain.casefold() in self.seen:
                    plain = f"{doubled[1]} copy{doubled[2].lower()}"
                self.notes.append(f"{name} was read as {plain}.")
            else:
                plain = str(PurePosixPath(name).with_suffix(_kind(name)))
            if plain in found:
                raise Refused(f"The submission was refused: many computers cannot tell {plain} and {name} apart.")
            found[plain] = file
        return found


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
