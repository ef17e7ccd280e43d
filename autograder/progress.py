"""How far a run has come: a line that is rewritten on a terminal, and now and then a line of its own elsewhere."""

from __future__ import annotations

from typing import Any, TextIO

from tqdm import tqdm

FORM = "{n_fmt} of {total_fmt} graded, {rate_noinv_fmt}, {remaining} left"
EVERY = 30.0  # seconds between lines that are not rewritten


class _Lines(tqdm):  # type: ignore[misc]
    """Writes whole lines, for a log."""

    def display(self, msg: str | None = None, pos: int | None = None) -> None:
        if msg is None:
            print(self, file=self.fp, flush=True)


class Progress:
    """Shows count, rate and time left on ``stream``: nothing if ``quiet``, nor of a short run where it is no
    terminal.
    """

    def __init__(self, stream: TextIO, *, quiet: bool = False) -> None:
        self.stream, self.quiet = stream, quiet
        self.bar: tqdm[Any] | None = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()

    def show(self, done: int, of: int) -> None:
        """``done`` of all are graded."""
        if self.bar is None:
            form = {"total": of, "file": self.stream, "disable": self.quiet, "bar_format": FORM, "unit": " submissions"}
            if self.stream.isatty():
                self.bar = tqdm(**form)
            else:
                self.bar = _Lines(**form, delay=EVERY, mininterval=EVERY, maxinterval=EVERY, miniters=1, leave=False)
        self.bar.update(done - self.bar.n)
