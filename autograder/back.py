"""The commands that carry grades on: ``gradebook`` over assignments, and ``export`` to a platform."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path, PurePath

from autograder.arguments import path, say
from autograder.exports.command import CHOICES, export
from autograder.gradebook.command import write_gradebook
from autograder.loading import course_root


def _tell(sentence: str) -> None:
    say(sentence, sys.stdout)


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add both to those of the command line."""
    book = commands.add_parser("gradebook", help="totals over assignments, by the [gradebook] of course.toml")
    book.add_argument("folders", type=_folder, nargs="+", metavar="NAME=DIR", help="a1=grades/a1 a2=grades/a2 ...")
    book.add_argument("-o", "--out", type=path, required=True, metavar="FILE", help="a table; a page stands beside it")
    book.set_defaults(run=_gradebook)

    files = commands.add_parser("export", help="grades or feedback for a platform, in a copy of its own export")
    files.add_argument("platform", choices=CHOICES)
    files.add_argument("folder", type=path, metavar="DIR", help="the folder that grade wrote")
    files.add_argument("given", type=path, nargs="?", metavar="EXPORT", help="what the platform exported")
    files.add_argument("-o", "--out", type=path, required=True, metavar="COPY", help="where the copy goes")
    files.add_argument("--column", default="", metavar="HEADER", help="of the grade, where it cannot be told")
    files.add_argument("--scale", action="store_true", help="points become shares of those that the platform has")
    files.set_defaults(run=_export)


def _folder(text: str) -> tuple[str, Path]:
    name, sign, folder = text.partition("=")
    if not (name and sign and folder):
        raise argparse.ArgumentTypeError(f"{text!r} is not a name and a folder, such as a1=grades/a1")
    return PurePath(name).name, Path(folder)


def _gradebook(options: argparse.Namespace) -> int:
    complete = write_gradebook(options.folders, options.out, course_root(options.course), _tell)
    return 0 if complete else 1


def _export(options: argparse.Namespace) -> int:
    export(
        options.platform,
        options.folder,
        options.out,
        options.given,
        column=options.column,
        scale=options.scale,
        say=_tell,
    )
    return 0
