# Generated from autograder/student/checks/watching.py by "python -m autograder build": change it there.
"""Runs the checks again whenever a file is saved, each time in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from .console import Console
from .reading import HERE
from .report import Line
from .running import TESTS

POLL = 100  # milliseconds


def watch(arguments: Sequence[str], console: Console) -> int:
    """Run ``python -m checks`` with ``arguments`` now and after every change of a Python file in the student's folder.

    Returns:
        0 where Ctrl-C ended it, 2 where watchfiles is missing.
    """
    try:
        from watchfiles import PythonFilter
        from watchfiles import watch as changes
    except ImportError:
        console.write(Line("--watch needs watchfiles: python -m pip install watchfiles."))
        return 2
    command = [sys.executable, "-m", "checks", *arguments]
    folders = [folder for folder in (HERE, TESTS) if folder.is_dir()]  # and not what lies below, such as .venv
    waiting = changes(*folders, watch_filter=PythonFilter(), recursive=False, yield_on_timeout=True, rust_timeout=POLL)
    try:
        next(waiting)  # what is saved during a run counts, also during the first
        subprocess.run(command, cwd=HERE, check=False)
        console.write(Line(f"\nWatching {HERE}: save a file to run this again, Ctrl-C to end."))
        for changed in filter(None, waiting):
            names = ", ".join(sorted({Path(path).name for _, path in changed}))
            console.write(Line(f"\n--- {names} saved ---\n"))
            subprocess.run(command, cwd=HERE, check=False)
    except KeyboardInterrupt:
        console.write(Line("\nStopped."))
    return 0
