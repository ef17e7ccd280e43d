"""What the commands share: arguments that are paths, and sentences for whoever gave the command."""

from __future__ import annotations

import argparse
import sys
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
