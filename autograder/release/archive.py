"""Zip archives and folders that hold the same bytes wherever and whenever they are written."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Collection, Mapping
from pathlib import Path

from autograder.store import write_bytes

# Years after the first date that a zip archive can hold: unpacked in one time zone and packed in another, a file may
# lose some hours, and Python's zipfile refuses what then lies before 1980.
DATE = (2000, 1, 1, 0, 0, 0)
UNIX = 3
FILE, PROGRAM = 0o644, 0o755


def zip_bytes(entries: Mapping[str, bytes], executable: Collection[str] = ()) -> bytes:
    """A zip archive of ``entries`` (path with ``/`` → content), sorted by path and not compressed.

    What a compressor writes depends on its version, and so on the Python that holds it; figures and data are compressed
    as they are. Those paths that are ``executable`` unpack as programs.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, content in sorted(entries.items()):
            entry = zipfile.ZipInfo(name, DATE)
            entry.create_system = UNIX
            entry.external_attr = (stat.S_IFREG | (PROGRAM if name in executable else FILE)) << 16
            archive.writestr(entry, content)
    return buffer.getvalue()


def entries_written(path: Path) -> dict[str, bytes] | None:
    """The entries of the archive at ``path`` if :func:`write_zip` wrote it, since they make the same bytes again then.
    None for everything else, and so for what was packed by hand, whatever it holds.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            if any(entry.date_time != DATE or entry.compress_type for entry in archive.infolist()):
                return None  # without reading it, however large
            entries = {entry.filename: archive.read(entry) for entry in archive.infolist()}
            programs = [e.filename for e in archive.infolist() if e.external_attr >> 16 == stat.S_IFREG | PROGRAM]
        return entries if zip_bytes(entries, programs) == path.read_bytes() else None
    except (OSError, ValueError, RuntimeError, zipfile.BadZipFile):
        return None


def write_zip(path: Path, entries: Mapping[str, bytes], executable: Collection[str] = ()) -> None:
    """Write :func:`zip_bytes` to ``path``, at once or not at all.

    Raises:
        OSError: it cannot be written there; the error names ``path``.
    """
    write_bytes(path, zip_bytes(entries, executable))
