"""What the commands share: arguments that are paths or numbers, and sentences for whoever gave the command."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from autograder.text import printable


def path(text: str) -> Path:
    """An argument that is a path.

    Raises:
        argparse.ArgumentTypeError: it is empty.
    """
    if not text:  # to Python this is the current folder
        raise argparse.ArgumentTypeError("an empty name is no path")
    return Path(text)


def say(sentence: object, file: TextIO | None = None) -> None:
    """Print a line that may hold foreign text, such as a path, by default to standard error."""
    print(printable(str(sentence), keep=""), file=file or sys.stderr)


def count(things: str) -> Callable[[str], int]:
    """For ``type=``: a number of ``things``, 1 or more."""

    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < 1:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number of {things}")
        return int(text)

    return number
