# Generated from autograder/student/checks/console.py by "python -m autograder build": change it there.
"""The terminal, whatever it can show: colours only where it has them, letters only those of its encoding."""

from __future__ import annotations

import os
import sys
from typing import TextIO

from .report import Line

CODES = {"green": "\x1b[32m", "red": "\x1b[31m", "bold": "\x1b[1m", "": ""}
WIDTH = 30


class Console:
    """Writes lines to ``stream``, a question mark for each letter that it cannot encode."""

    def __init__(self, stream: TextIO = sys.stdout) -> None:
        self.stream = stream
        self.coloured = _has_colours(stream)
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")

    def write(self, line: Line) -> None:
        code = CODES[line.colour] if self.coloured else ""
        print(f"{code}{line.text}\x1b[0m" if code else line.text, file=self.stream, flush=True)

    def bar(self, share: float) -> str:
        """A share of 0 to 1, as far as it is reached: full only at 1."""
        done, left = ("█", "░") if self._can_show("█░") else ("#", "-")
        filled = int(WIDTH * min(max(share, 0), 1))
        return f"[{done * filled}{left * (WIDTH - filled)}]"

    def _can_show(self, text: str) -> bool:
        try:
            text.encode(self.stream.encoding or "ascii")
        except (LookupError, UnicodeEncodeError):
            return False
        return True


def _has_colours(stream: TextIO) -> bool:
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not stream.isatty():
        return False
    if sys.platform == "win32":
        try:
            from colorama import just_fix_windows_console  # it comes with pytest there
        except ImportError:
            return False
        just_fix_windows_console()
    return True
