"""``new``: writes the files of a new exercise or assignment, and says what is left to do."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from autograder.arguments import say
from autograder.loading import course_folder, course_root, full_name
from autograder.missing import MARK, unfilled
from autograder.new.assignment import new_assignment
from autograder.new.exercise import new_exercise


def add_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add it to those of the command line."""
    kinds = commands.add_parser("new", help="write the files of a new exercise or assignment").add_subparsers(
        required=True, metavar="KIND"
    )
    exercise = kinds.add_parser("exercise", help="every file of a new exercise, with marks to fill in")
    exercise.add_argument("assignment", help="a1, or a1_convolution")
    exercise.add_argument("name", help="of the function; or of the class, with a capital letter")
    exercise.add_argument("--after", default="", metavar="OTHER", help="the exercise below which it goes (the last)")
    exercise.add_argument("--torch", action="store_true", help="it belongs to the file that is graded with PyTorch")
    exercise.set_defaults(run=_exercise)
    assignment = kinds.add_parser("assignment", help="both folders of a new assignment, without exercises")
    assignment.add_argument("short", help="its short name, such as a7")
    assignment.add_argument("topic", help="in small letters: the folders are called a7_topic, the module topic.py")
    assignment.set_defaults(run=_assignment)


def _exercise(options: argparse.Namespace) -> int:
    root = course_root(options.course)
    name = full_name(options.assignment, root)
    _write(new_exercise(name, options.name, root, options.after, options.torch), root)
    _left(name, root)
    _tell("Then: python -m autograder build")
    _tell(f"      python -m autograder audit {name.split('_')[0]} --exercise {options.name}")
    return 0


def _assignment(options: argparse.Namespace) -> int:
    root = course_folder(options.course)
    _write(new_assignment(options.short, options.topic, root), root)
    _left(f"{options.short}_{options.topic}", root)
    _tell(f"Then: python -m autograder new exercise {options.short} NAME")
    return 0


def _write(files: Mapping[Path, str], root: Path) -> None:
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        _tell(f"wrote {path.relative_to(root)}")


def _left(name: str, root: Path) -> None:
    _tell(f"Left to do, where it says {MARK}:")
    for sentence in unfilled(name, root):
        _tell(f"  {sentence.replace(' is not filled in', '', 1)}")


def _tell(sentence: str) -> None:
    say(sentence, sys.stdout)
