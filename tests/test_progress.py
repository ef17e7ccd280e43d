"""The line of progress: count, rate and time left, rewritten on a terminal and sparse elsewhere."""

from __future__ import annotations

import io
import re

import pytest

from autograder import progress
from autograder.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def run(stream: io.StringIO, of: int, *, quiet: bool = False) -> str:
    with Progress(stream, quiet=quiet) as shown:
        for done in range(of + 1):
            shown.show(done, of)
    return stream.getvalue()


def test_a_terminal_shows_count_rate_and_time_left() -> None:
    text = run(Terminal(), 40)
    assert re.search(r"\r40 of 40 graded, +[0-9.]+ submissions/s, 00:00 left", text)
    assert text.count("\n") == 1
    assert text.endswith("\n")


def test_before_anything_is_known_of_rate_and_time_nothing_is_said() -> None:
    stream = Terminal()
    with Progress(stream) as shown:
        shown.show(0, 40)
        assert stream.getvalue() == "\r0 of 40 graded"


def test_a_short_run_says_nothing_where_it_is_no_terminal() -> None:
    assert run(io.StringIO(), 40) == ""


def test_a_log_gets_whole_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "EVERY", 0.0)
    lines = run(io.StringIO(), 3).splitlines()
    assert lines
    line = r"0 of 3 graded|[1-3] of 3 graded, [0-9.]+ submissions/s, [0-9:]+ left"
    assert all(re.fullmatch(line, one) for one in lines)


def test_quiet_shows_nothing() -> None:
    assert run(Terminal(), 40, quiet=True) == ""
