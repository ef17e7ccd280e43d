"""One exercise of one student as a page for an appeal: question and answers as small tables, for staff.

Of a large array the page shows a window of two axes, placed where the answers first differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.compare import RTOL
from autograder.judge import Answer
from autograder.outcome import Malformed, NotImported, Outcome, Raised, Stopped, Unsuitable, Value
from autograder.report.html import ENVIRONMENT
from autograder.sandbox.wire import Tensor
from autograder.show import Explained
from autograder.student.checks.agreement import OtherValues, difference

ROWS, COLUMNS = 8, 10  # of a window
CASES = 40  # of those that pass
TEXT = 400  # characters of a value that is no array
DIGITS = 6


@dataclass(frozen=True)
class Cell:
    text: str
    differs: bool = False


@dataclass(frozen=True)
class Shown:
    """One value: what it is, and the entries of an array; ``where`` names the window of a large one."""

    name: str
    about: str
    rows: tuple[tuple[Cell, ...], ...] = ()
    where: str = ""


def appeal_html(explained: Explained) -> str:
    """The page. It holds hidden inputs and expected values."""
    failing = [answer for answer in explained.answers if answer.failure]
    return ENVIRONMENT.get_template("appeal.html.j2").render(
        result=explained.result,
        exercise=explained.exercise,
        source=explained.source,
        output=explained.output,
        changes=explained.changes,
        group=explained.group,
        failing=[(answer, *_tables(answer)) for answer in failing],
        passing=[answer for answer in explained.answers if not answer.failure][:CASES],
        asked=len(explained.answers),
    )


def _tables(answer: Answer) -> tuple[list[Shown], list[Shown], list[Shown]]:
    """The arguments, the student's answer and the expected one."""
    arguments = [one for name, value in answer.given.items() for one in _shown(name, value)]
    got, want = ([*_outcome(outcome)] for outcome in (answer.got, answer.expected))
    pairs = dict(want)
    mine = [one for name, value in got for one in _shown(name, value, pairs.get(name))]
    other = dict(got)
    right = [one for name, value in want for one in _shown(name, value, other.get(name))]
    return arguments, mine, right


def _outcome(outcome: Outcome) -> Iterator[tuple[str, Any]]:
    match outcome:
        case Value(tree):
            yield from _leaves("", tree)
        case Raised(name, detail):
            yield "", _Said(detail or f"raises {name}")
        case Malformed(detail) | NotImported(detail):
            yield "", _Said(detail)
        case Stopped(reason) | Unsuitable(reason):
            yield "", _Said(f"no answer ({reason})")


class _Said(str):
    """What is said in a value's place."""


def _leaves(name: str, tree: Any) -> Iterator[tuple[str, Any]]:
    """What a tree holds, each with its place in it. A list of numbers is a value of its own."""
    if isinstance(tree, dict):
        for key, item in tree.items():
            yield from _leaves(f"{name}[{key!r}]", item)
    elif isinstance(tree, tuple) or (isinstance(tree, list) and any(isinstance(i, np.ndarray | list) for i in tree)):
        for number, item in enumerate(tree):
            yield from _leaves(f"{name}[{number}]", item)
    else:
        yield name, tree


def _shown(name: str, value: Any, other: Any = None) -> Iterator[Shown]:
    """``value`` beside the ``other`` answer: entries that differ from it are marked."""
    if other is None and isinstance(value, dict | tuple):
        for place, leaf in _leaves(name, value):
            yield _one(place, leaf, None)
    else:
        yield _one(name, value, other)


def _one(name: str, value: Any, other: Any) -> Shown:
    if isinstance(value, _Said):
        return Shown(name, value)
    if not isinstance(value, np.ndarray) or not value.ndim:
        plain = value.item() if isinstance(value, np.ndarray | np.generic) else value
        return Shown(name, repr(plain)[:TEXT])
    about = f"{'tensor' if isinstance(value, Tensor) else 'array'} of {value.dtype}, shape {value.shape}"
    if not value.size:
        return Shown(name, about)
    differs = _differs(value, other)
    index, rows, columns = _window(value.shape, differs)
    entries = np.atleast_2d(np.asarray(value)[index])[rows, columns]
    marked = np.atleast_2d(differs[index])[rows, columns]
    beside = np.atleast_2d(np.asarray(other)[index])[rows, columns] if marked.any() else entries
    table = tuple(
        tuple(Cell(_number(x, y if m else None), bool(m)) for x, y, m in zip(*line, strict=True))
        for line in zip(entries, beside, marked, strict=True)
    )
    whole = entries.size == value.size
    spans = [*map(str, index), *(f"{s.start}:{s.stop}" for s in ((rows, columns) if value.ndim > 1 else (columns,)))]
    return Shown(name, about, table, "" if whole else f"entries [{', '.join(spans)}]")


def _differs(value: np.ndarray, other: Any) -> np.ndarray:
    """Where two answers differ, to the tolerance of the check; nowhere if they cannot be compared entry by entry."""
    if not (isinstance(other, np.ndarray) and other.shape == value.shape and other.dtype.kind in "biuf"):
        return np.zeros(value.shape, bool)
    narrow = "float32" in (value.dtype.name, other.dtype.name)
    found = difference(np.asarray(value), np.asarray(other), RTOL["float32" if narrow else "float64"])
    return found.where if isinstance(found, OtherValues) else np.zeros(value.shape, bool)


def _window(shape: tuple[int, ...], differs: np.ndarray) -> tuple[tuple[int, ...], slice, slice]:
    """The index of all axes but the last two, and the entries of these: the first, or around what differs first."""
    first = [int(axis[0]) for axis in np.nonzero(differs)] if differs.any() else [0] * len(shape)
    *index, row, column = [0, *first] if len(shape) == 1 else first
    height = shape[-2] if len(shape) > 1 else 1
    return tuple(index), _span(row, height, ROWS), _span(column, shape[-1], COLUMNS)


def _span(place: int, length: int, most: int) -> slice:
    start = max(0, min(place - 1, length - most))
    return slice(start, min(start + most, length))


def _number(value: Any, other: Any) -> str:
    """A few digits, or all where the ``other`` number differs only beyond them."""
    if not isinstance(value, np.floating):
        return str(value)
    text = f"{value:.{DIGITS}g}"
    return repr(value.item()) if isinstance(other, np.floating) and text == f"{other:.{DIGITS}g}" else text
