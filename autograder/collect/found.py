"""What a recogniser finds: people, and what each handed in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path, PurePosixPath

from autograder.collect.download import Download, File
from autograder.collect.entry import Person
from autograder.submission import part_of
from autograder.submission.files import ARCHIVES, SUFFIXES


@dataclass(frozen=True)
class Asked:
    """What a recogniser may know beside the download.

    Attributes:
        graded: part → its graded names.
        assignment: ``a1_convolution``, for downloads of several assignments.
        zone: of times that say none.
        logins: user names and group names on the roster, in small letters.
    """

    graded: Mapping[str, Sequence[str]]
    assignment: str = ""
    zone: tzinfo | None = None
    logins: frozenset[str] = frozenset()

    def is_part(self, name: str) -> bool:
        """Whether a file of this name is a graded one, also as a browser renamed it."""
        return bool(part_of(PurePosixPath(name).name, self.graded))


@dataclass(frozen=True)
class Attempt:
    """One hand-in. It lies at ``path``, one file or folder on disk, or its ``files`` have yet to be put together.

    ``source`` names it within the download. ``when`` has an offset; ``late`` is the platform's mark.
    """

    source: str
    path: Path | None = None
    files: Mapping[str, File] = field(default_factory=dict)
    number: int | None = None
    when: datetime | None = None
    late: bool | None = None


@dataclass(frozen=True)
class Entry:
    """Who handed in together, as the platform knows them, and their attempts, the latest last; none if nothing was.

    ``label`` is the platform's name for them and ``apart`` tells those of equal names apart. ``several`` says that
    ``label`` is the name of a group whose members the platform does not name.
    """

    members: tuple[Person, ...]
    attempts: tuple[Attempt, ...]
    label: str
    apart: str = ""
    several: bool = False


@dataclass(frozen=True)
class Recognised:
    """The entries of a download; ``stray`` are the names at its top that belong to nobody."""

    entries: tuple[Entry, ...]
    stray: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def gradable(name: str) -> bool:
    """Whether a file of this name could be what a student handed in."""
    return PurePosixPath(name).suffix.lower() in (*SUFFIXES, *ARCHIVES)


def attempt(download: Download, names: Iterable[str], source: str, **facts: object) -> Attempt:
    """What one student handed in: the files and folders at the top of ``download`` that are ``names``.

    A single folder on disk is graded where it lies.
    """
    names = list(names)
    if len(names) == 1 and download.is_folder(names[0]):
        if path := download.path(names[0]):
            return Attempt(source, path, **facts)  # type: ignore[arg-type]
        return Attempt(source, None, download.below(names[0]).files, **facts)  # type: ignore[arg-type]
    files: dict[str, File] = {}
    for name in names:
        files |= {f"{name}/{rest}": download.files[f"{name}/{rest}"] for rest in download.tops.get(name, ())}
        if name in download.files:
            files[name] = download.files[name]
    return Attempt(source, None, files, **facts)  # type: ignore[arg-type]


def in_order(attempts: Iterable[Attempt]) -> tuple[Attempt, ...]:
    """By time, those without one first, then by number and name."""
    start = datetime.min.replace(tzinfo=UTC)
    return tuple(sorted(attempts, key=lambda a: (a.when or start, a.number or 0, a.source)))
