"""How far a run has come: a line that is rewritten on a terminal, and now and then a line of its own elsewhere."""

from __future__ import annotations

from typing import Any, TextIO

from tqdm import tqdm

FORM = "{n_fmt} of {total_fmt} graded{pace}"
EVERY = 30.0  # seconds between lines that are not rewritten


class _Line(tqdm):  # type: ignore[misc]
    """One line; of rate and time left it says nothing before they are known."""

    @property
    def format_dict(self) -> dict[str, Any]:
        facts = super().format_dict
        rate = facts["rate"] or (self.n / facts["elapsed"] if facts["elapsed"] else 0)
        pace = f", {rate:.2f} submissions/s, {self.format_interval((self.total - self.n) / rate)} left" if rate else ""
        return {**facts, "pace": pace}


class _Lines(_Line):
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
            form = {"total": of, "file": self.stream, "disable": self.quiet, "bar_format": FORM}
            if self.stream.isatty():
                self.bar = _Line(**form)
            else:
                self.bar = _Lines(**form, delay=EVERY, mininterval=EVERY, maxinterval=EVERY, miniters=1, leave=False)
        self.bar.update(done - self.bar.n)
