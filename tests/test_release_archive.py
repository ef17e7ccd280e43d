"""Archives of releases: the same bytes for the same entries."""

from __future__ import annotations

import io
import stat
import zipfile
from pathlib import Path

import pytest

from autograder.release.archive import entries_written, write_zip, zip_bytes

ENTRIES = {"b/run.sh": b"#!/bin/sh\n", "a.txt": b"", "b/\u00e4.txt": b"\x00" * 5000}


def test_order_and_time_leave_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    first = zip_bytes(ENTRIES)
    monkeypatch.setattr("time.time", lambda: 2e9)
    assert zip_bytes(dict(reversed(ENTRIES.items()))) == first
    assert zip_bytes({**ENTRIES, "a.txt": b"!"}) != first


def test_contents_modes_and_dates_are_read_back() -> None:
    with zipfile.ZipFile(io.BytesIO(zip_bytes(ENTRIES, executable={"b/run.sh"}))) as archive:
        assert archive.namelist() == sorted(ENTRIES)
        assert {name: archive.read(name) for name in ENTRIES} == ENTRIES
        modes = {entry.filename: entry.external_attr >> 16 for entry in archive.infolist()}
        assert {entry.date_time for entry in archive.infolist()} == {(2000, 1, 1, 0, 0, 0)}
    assert modes["b/run.sh"] == stat.S_IFREG | 0o755
    assert modes["a.txt"] == stat.S_IFREG | 0o644


def test_only_what_a_release_wrote_is_known_again(tmp_path: Path) -> None:
    ours = tmp_path / "ours.zip"
    write_zip(ours, ENTRIES, executable={"b/run.sh"})
    assert entries_written(ours) == ENTRIES
    written = ours.read_bytes()
    for number, data in enumerate([b"", b"PK", written[:-1], written + b"\n", written.replace(b"#!", b"##", 1)]):
        other = tmp_path / f"{number}.zip"
        other.write_bytes(data)
        assert entries_written(other) is None
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        with zipfile.ZipFile(ours, "w", method) as archive:
            for name, content in sorted(ENTRIES.items()):
                archive.writestr(name, content)
        assert entries_written(ours) is None
    assert entries_written(tmp_path / "gone.zip") is None


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises((NotADirectoryError, FileExistsError)) as error:
        write_zip(tmp_path / "file" / "bundle.zip", ENTRIES)
    assert error.value.filename.startswith(str(tmp_path))
    write_zip(tmp_path / "new" / "bundle.zip", ENTRIES)
    assert (tmp_path / "new" / "bundle.zip").read_bytes() == zip_bytes(ENTRIES)
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["bundle.zip"]
