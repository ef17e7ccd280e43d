"""What lies on the disk instead of a file: never opened, never waited for, never listed without end."""

from __future__ import annotations

import io
import json
import os
import signal
import socket
import stat
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from autograder.collect.students import collect
from autograder.submission import Submission, disk, files, newest_file, read

GRADED = {"convolution": ["convolve"], "convolution_torch": ["Conv2d"]}
CONVOLVE = "def convolve(x, h):\n    return 1\n"
CONV2D = "class Conv2d:\n    pass\n"


def make(path: Path, text: str = CONVOLVE) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def found(path: Path) -> list[tuple[str, Path | None]]:
    """The students in a folder, each with the place of what was handed in."""
    return [(one.key, one.attempt.path) for one in collect([path], GRADED).students if one.attempt]


def refused(got: Submission, sentence: str) -> None:
    assert got.parts == {}
    assert len(got.notes) == 1
    assert sentence in got.notes[0]


def make_special(path: Path, kind: str) -> None:
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "socket":
            with socket.socket(socket.AF_UNIX) as end:
                end.bind(os.path.relpath(path))  # a socket's path may not be long
        case "device":
            os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 5))  # /dev/zero
        case _:
            target = path.parent.parent / "pipe"
            os.mkfifo(target)
            path.symlink_to(target)


KINDS = ["pipe", "socket", "link to a pipe"] + ["device"] * (os.geteuid() == 0)  # only root makes devices


@pytest.fixture(params=KINDS)
def special(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], Path]:
    """Makes what is no file; whoever opens it fails the test instead of waiting for ever."""
    made: list[Path] = []
    opened = os.open

    def guarded(path: str | Path, *args: Any, **kwargs: Any) -> int:
        assert Path(path) not in made
        return opened(path, *args, **kwargs)

    def make_guarded(path: Path) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        make_special(path, request.param)
        made.append(path)
        return path

    monkeypatch.setattr(os, "open", guarded)
    return make_guarded


@pytest.mark.parametrize("suffix", [".py", ".ipynb", ".zip"])
def test_what_is_no_file_is_refused_unopened(tmp_path: Path, suffix: str, special: Callable[[Path], Path]) -> None:
    path = special(tmp_path / "class" / f"eve{suffix}")
    ((key, place),) = found(tmp_path / "class")
    assert (key, place) == ("eve", path)
    refused(read("eve", path, GRADED), f"eve{suffix} is a ")
    assert newest_file(path) is None


@pytest.mark.parametrize("name", ["convolution_torch.py", "lab.ipynb", "data.txt"])
def test_what_is_no_file_in_a_folder_is_ignored_unopened(
    tmp_path: Path, name: str, special: Callable[[Path], Path]
) -> None:
    make(tmp_path / "s" / "convolution.py")
    special(tmp_path / "s" / name)
    got = read("s", tmp_path / "s", GRADED)
    assert got.parts == {"convolution": {"convolution.py": CONVOLVE}}
    assert got.notes == (f"{name} was ignored because it is a link, a pipe, a socket or a device.",)


def test_what_is_called_an_archive_alone_in_a_folder_is_refused(
    tmp_path: Path, special: Callable[[Path], Path]
) -> None:
    special(tmp_path / "s" / "a.zip")
    refused(read("s", tmp_path / "s", GRADED), "a.zip is a ")


def test_a_pipe_that_takes_the_place_of_a_file_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "eve.py")
    monkeypatch.setattr(os, "lstat", lambda path: os.stat(__file__))
    signal.alarm(30)  # ends the run where it would hang
    with pytest.raises(disk.Refused, match="not a file"):
        disk.RegularFile(tmp_path / "eve.py")
    signal.alarm(0)


def test_a_file_that_grows_is_read_up_to_its_bound() -> None:
    class Growing(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return b"#" * (size or 0)

    content = files._bounded(files._Entry("x.py", Growing), files.MAX_SOURCE)
    assert files.MAX_SOURCE < len(content) < files.MAX_SOURCE + 100_000


def test_a_huge_folder_is_listed_up_to_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = 0

    class Endless:
        """A listing of hidden files that does not end."""

        def __init__(self, path: str | Path) -> None:
            pass

        def __enter__(self) -> Iterator[os.DirEntry[str]]:
            nonlocal seen
            while True:
                seen += 1
                assert seen < 10 * disk.MAX_MEMBERS
                yield hidden

        def __exit__(self, *_: object) -> None:
            pass

    make(tmp_path / ".hidden")
    with os.scandir(tmp_path) as entries:
        hidden = next(entries)
    monkeypatch.setattr(os, "scandir", Endless)
    refused(read("s", tmp_path, GRADED), f"more than {disk.MAX_MEMBERS}")
    assert newest_file(tmp_path) is None


def test_a_folder_that_lies_too_deep_is_not_entered(tmp_path: Path) -> None:
    make(tmp_path / "s" / "convolution.py")
    make(tmp_path.joinpath("s", *["d"] * disk.MAX_DEPTH, "x.py"))
    make(tmp_path.joinpath("s", *["n" * 250] * 3, "y.py"))
    got = read("s", tmp_path / "s", GRADED)
    assert set(got.parts["convolution"]) == {"convolution.py"}
    deep, long = "d/" * disk.MAX_DEPTH, "n" * 80
    assert sorted(got.notes) == [
        f"{deep}x.py was ignored because it lies deeper than 30 folders.",
        f"{long}… was ignored because its name is longer than 400 characters.",
    ]


def test_names_that_are_not_utf8_are_read_all_the_same(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path)
    make(Path(os.fsdecode(folder + b"/soluci\xf3n.py")))
    make(Path(os.fsdecode(folder + b"/c\xf3digo/convolution_torch.py")), CONV2D)
    got = read("s", tmp_path, GRADED)
    assert got.parts["convolution"]["convolution.py"] == CONVOLVE
    assert got.parts["convolution_torch"]["convolution_torch.py"] == CONV2D
    assert got.notes == ("convolution was graded from soluci\ufffdn.py.",)


@pytest.mark.parametrize("name", [b"eve\xff.py", b"eve\xff/convolution.py", b"eve\xff/x\xfe.py"])
def test_a_student_whose_name_is_not_utf8_is_read(tmp_path: Path, name: bytes) -> None:
    make(Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)))
    ((key, path),) = found(tmp_path)
    assert key == "eve\ufffd"
    assert path
    got = read(key, path, GRADED)
    assert got.parts["convolution"] == {"convolution.py": CONVOLVE}
    json.dumps([got.student, got.notes], ensure_ascii=False).encode()


# when it was handed in


def dated(path: Path, year: int) -> Path:
    seconds = datetime(year, 7, 1, tzinfo=UTC).timestamp()
    os.utime(path, (seconds, seconds), follow_symlinks=False)
    return path


def test_the_date_of_the_newest_file(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    for name, year in (("a.py", 2024), ("sub/b.txt", 2023), ("__pycache__/a.pyc", 2030), (".git/x", 2030)):
        dated(make(folder / name), year)
    (folder / "link.py").symlink_to(tmp_path)
    for path in (folder / "link.py", folder / "sub", folder / "__pycache__", folder):
        dated(path, 2030)
    assert newest_file(folder) == datetime(2024, 7, 1, tzinfo=UTC)
    assert newest_file(folder / "sub" / "b.txt") == datetime(2023, 7, 1, tzinfo=UTC)


def test_where_no_file_has_a_date(tmp_path: Path) -> None:
    assert newest_file(tmp_path) is None
    assert newest_file(tmp_path / "gone") is None


@pytest.mark.parametrize("seconds", [1e12, 1e18, 1e300, -1e12, float("inf"), float("nan")])
def test_a_time_that_is_none_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    class Status:
        st_mode, st_mtime = stat.S_IFREG, seconds

    monkeypatch.setattr(os, "lstat", lambda path: Status)  # few file systems keep such a time
    assert newest_file(tmp_path / "a.py") is None


def test_a_time_before_1970_counts(tmp_path: Path) -> None:
    assert newest_file(dated(make(tmp_path / "a.py"), 1950)) == datetime(1950, 7, 1, tzinfo=UTC)
