"""What archives hold, read within limits whatever they say of themselves: nothing is extracted or followed.

An archive within an archive is read in memory. All archives of one submission share one :class:`Budget`.
"""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import math
import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import IO, NamedTuple, Protocol

from autograder.submission.disk import Refused, RegularFile, walk

MAX_DIRECTORY = 8_000_000  # bytes of a zip archive's table of contents: some 60 000 files, an environment's among them
MAX_PACKED = 100_000_000  # bytes read of zip archives; the members that are not wanted are not read
MAX_INNER = 60_000_000  # bytes of all tar archives and archives within archives together
MAX_TAR_READ = 1 << 14  # bytes of one read, and so of one header
MAX_TAR_MEMBERS = 20_000  # those that are ignored among them
CHUNK = 1 << 14

TARS = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2")
SPECIAL = "is a link, a pipe, a socket or a device"


class Readable(Protocol):
    def read(self, size: int, /) -> bytes | None: ...


class Entry(NamedTuple):
    """A file that was found; where it must not be read, ``problem`` continues the sentence "<name> …".

    ``time`` is when it was written, in seconds that can be compared within one folder or archive.
    """

    name: str
    open: Callable[[], IO[bytes]]
    problem: str = ""
    time: float = 0.0


@dataclass
class Budget:
    """Bytes that may still be read of zip archives, and taken by what is read into memory as a whole."""

    packed: int
    inner: int

    @classmethod
    def full(cls) -> Budget:
        return cls(MAX_PACKED, MAX_INNER)

    def take_packed(self, count: int) -> None:
        self.packed -= count
        if self.packed < 0:
            raise Refused("The Python files and notebooks take up more than 100 MB of the archive.")

    def whole(self, stream: Readable) -> bytes:
        """All of ``stream``."""
        data = bounded(stream, self.inner)
        self.inner -= len(data)
        if self.inner < 0:
            raise Refused("The archives within the submission hold more than 60 MB.")
        return data


class _ZipReads:
    """Reads of a zip archive. A huge single one is refused, so that zipfile never parses a table of contents of any
    size: mostly that of a folder with an environment. All together are bounded, since members may overlap, and since
    data may unpack to nothing.
    """

    budget: Budget

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > MAX_DIRECTORY:
            raise Refused("The zip archive holds far too many files (an environment?): zip your own files alone.")
        data: bytes = super().read(size) or b""  # type: ignore[misc]
        self.budget.take_packed(len(data))
        return data


class _ZipFile(_ZipReads, RegularFile):
    pass


class _ZipBytes(_ZipReads, io.BytesIO):
    pass


class _TarBytes(io.BytesIO):
    """Tar headers of many kinds are read whole and taken apart: none that is larger than ordinary ones."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is None or not 0 <= size <= MAX_TAR_READ:
            raise tarfile.ReadError("header too large")
        return super().read(size)


def is_archive(name: str) -> bool:
    """Whether a file of this name is an archive that is looked into."""
    return name.lower().endswith((".zip", *TARS))


def folder_entries(root: Path) -> Iterator[Entry]:
    for name, child in walk(root):
        problem = "" if child.is_file(follow_symlinks=False) else SPECIAL
        yield Entry(name, partial(RegularFile, child.path), problem, child.stat(follow_symlinks=False).st_mtime)


def archive_entries(name: str, packed: Path | bytes, budget: Budget) -> Iterator[Entry]:
    """What the archive holds, each to be opened before the next is asked for. A forged one raises almost anything.

    Raises:
        Refused: it holds more than a submission may.
    """
    if name.lower().endswith(".zip"):
        file = _ZipFile(packed) if isinstance(packed, Path) else _ZipBytes(packed)
        file.budget = budget
        with file, zipfile.ZipFile(file) as archive:
            yield from map(partial(_zip_entry, archive), archive.infolist())
    else:
        if isinstance(packed, Path):
            with RegularFile(packed) as raw:
                packed = budget.whole(raw)
        yield from _tar_entries(_TarBytes(_unpacked(name, packed, budget)))


def _zip_entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Entry:
    problem, time = "", 0.0
    if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR):
        problem = SPECIAL
    elif info.flag_bits & 1:
        problem = "is encrypted"
    elif info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        problem = "is compressed in an unusual way"
    with contextlib.suppress(ValueError, OverflowError, OSError):
        time = datetime(*info.date_time).timestamp()
    return Entry(info.filename, partial(archive.open, info), problem, time)


def _unpacked(name: str, data: bytes, budget: Budget) -> bytes:
    if name.lower().endswith((".gz", ".tgz")):
        return budget.whole(gzip.GzipFile(fileobj=io.BytesIO(data)))
    if name.lower().endswith("bz2"):
        return budget.whole(bz2.BZ2File(io.BytesIO(data)))
    return data


def _tar_entries(file: _TarBytes) -> Iterator[Entry]:
    with tarfile.open(fileobj=file, mode="r:") as archive:
        count = 0
        while member := archive.next():
            archive.members = []  # type: ignore[attr-defined]  # it would keep them all
            count += 1
            if count > MAX_TAR_MEMBERS or len(archive.pax_headers) > 1000:
                raise Refused("The submission holds more files and folders than it may.")
            if not member.isdir():
                ordinary = member.isreg() and not member.issparse()
                time = float(member.mtime) if math.isfinite(member.mtime) else 0.0
                yield Entry(member.name, partial(_extract, archive, member), "" if ordinary else SPECIAL, time)


def _extract(archive: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    stream = archive.extractfile(member)
    assert stream
    return stream


def bounded(stream: Readable, limit: int) -> bytes:
    """The content, or a little more than ``limit`` bytes of it: declared sizes are not believed."""
    content = bytearray()
    while len(content) <= limit and (chunk := stream.read(CHUNK)):
        content += chunk
    return bytes(content)
