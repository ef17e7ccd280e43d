# Generated from autograder/student/checks/__main__.py by "python -m autograder build": change it there.
"""``python -m checks``: the next exercise that is not right yet, and why."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from . import loop
from .console import Console
from .reading import HERE
from .report import Line
from .watching import watch

ABOUT = "Runs the visible tests up to the first exercise that is not right yet, and shows what is wrong there."


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line asks for.

    Returns:
        0 if everything asked for is right, 1 if not, 2 on wrong use, 130 where Ctrl-C ended it.
    """
    parser = argparse.ArgumentParser(prog="python -m checks", description=ABOUT)
    parser.add_argument("names", nargs="*", metavar="NAME", help="exercises to run alone, with all that fails in them")
    parser.add_argument("--all", action="store_true", help="run everything: a line an exercise, as pytest shows it")
    parser.add_argument("--hint", metavar="NAME", help="the smallest visible case of NAME that fails, with its numbers")
    parser.add_argument("--watch", action="store_true", help="run again whenever a file is saved")
    options = parser.parse_args(arguments)
    if sum(map(bool, (options.names, options.all, options.hint))) > 1:
        parser.error("choose one of NAME, --all and --hint")
    console = Console()
    try:
        if options.watch:
            given = sys.argv[1:] if arguments is None else arguments
            return watch([argument for argument in given if argument != "--watch"], console)
        if options.hint:
            right = loop.show_hint(console, options.hint)
        elif options.names:
            right = loop.show(console, options.names)
        else:
            right = loop.show_all(console) if options.all else loop.show_next(console)
    except loop.Unknown as error:
        console.write(Line(str(error)))
        return 2
    except KeyboardInterrupt:
        console.write(Line("\nStopped."))
        return 130
    return 0 if right else 1


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))  # where the tests find the student's modules, wherever this was started
    sys.exit(main())
