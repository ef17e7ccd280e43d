"""Which names a new exercise or assignment may have: none that a student or a test would meet twice."""

from __future__ import annotations

import builtins
import keyword
import re
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

from autograder.build import HELPERS
from autograder.course import CourseError
from autograder.stubs import names_in
from autograder.student import checks

LIBRARIES = ("numpy", "torch", "scipy", "jaxtyping", "matplotlib", "pandas", "otter")
FOLDER = {"data", "figures", "lab", "provided", "tests", *(Path(Path(file).parts[0]).stem for file in HELPERS)}
MODULES = {*sys.stdlib_module_names, *LIBRARIES, *FOLDER}
PYTHON = {*keyword.kwlist, *keyword.softkwlist, *dir(builtins)}
ALL = "all"  # what stands for every assignment on the command line
EXERCISE = (
    "allowed are letters, digits and underscores, a letter first, and no name that Python, a module, the file, its "
    "tests or another exercise has; such as softplus"
)
TOPIC = (
    "allowed are small letters, digits and underscores, a letter first, and no name that Python or a module has; such "
    "as moving_average"
)
SHORT = f"allowed are small letters, then digits, such as a7, and neither {ALL} nor what is taken"


def check_exercise(name: str, source: str, parts: Collection[str], others: Collection[str]) -> None:
    """Raises CourseError for a ``name`` that an exercise cannot have.

    Args:
        source: the reference that it goes into.
        parts, others: the modules and the exercises that there are.
    """
    for why in _against_exercise(name, source, parts, others):
        raise CourseError(f"{name!r} cannot name an exercise: {why}; {EXERCISE}.")


def _against_exercise(name: str, source: str, parts: Collection[str], others: Collection[str]) -> Iterator[str]:
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name):
        yield "it is no such word"
    yield from _taken(name, parts)
    if name in checks.__all__:
        yield "the visible tests import it"
    for other in others:
        if name.casefold() == other.casefold():  # and so would the files of their tests, on some disks
            yield f"an exercise is called {other}"
    if name in names_in(source):
        yield "its file has it already"


def check_driver(driver: str, name: str, source: str) -> None:
    """Raises CourseError where the driver of the exercise ``name`` would be called like something in drivers.py."""
    if driver in PYTHON or driver in names_in(source):
        raise CourseError(
            f"{name!r} cannot name an exercise: its driver would be {driver}, which is taken; {EXERCISE}."
        )


def check_topic(topic: str) -> None:
    """Raises CourseError for what can be neither the topic of an assignment nor the name of its module."""
    for why in ["it is no such word"] if not re.fullmatch(r"[a-z][a-z0-9_]*", topic) else _taken(topic):
        raise CourseError(f"{topic!r} cannot be a topic: {why}; {TOPIC}.")


def check_short(short: str, taken: Collection[str]) -> None:
    """Raises CourseError for what can be no short name of an assignment; ``taken`` are the full names of others."""
    if not re.fullmatch(r"[a-z]+[0-9]*", short) or short == ALL:
        raise CourseError(f"{short!r} cannot be a short name: {SHORT}.")
    for full in taken:
        if full.split("_")[0] == short:
            raise CourseError(f"{short!r} cannot be a short name: {full} has it; {SHORT}.")


def _taken(name: str, modules: Collection[str] = ()) -> Iterator[str]:
    if name in PYTHON:
        yield "Python itself has it"
    if name in MODULES or name in modules:
        yield "a module is called so, and students could not import both"
