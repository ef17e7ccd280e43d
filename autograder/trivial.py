"""Answers that nobody has to think for: no criterion may be won by giving one to each of its cases, unless it is right.

They are tried on the expected outcomes alone, without a sandbox.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from autograder.compare import close
from autograder.course import Case, Exercise, Inputs
from autograder.outcome import Outcome, Value
from autograder.sandbox.wire import Tensor

CONSTANTS: dict[str, Any] = {
    "None": None,
    "False": False,
    "True": True,
    "0": 0,
    "0.0": 0.0,
    "''": "",
    "[]": [],
    "()": (),
    "{}": {},
    "an empty array": np.zeros(0),
}
FILLED = {"zeros": 0.0, "ones": 1.0, "NaN": math.nan}

Path = tuple[Any, ...]  # keys and indices that lead to a leaf of a tree
Answers = Mapping[Case, Outcome]


def tries(exercise: Exercise, inputs: Mapping[Case, Inputs], right: Answers) -> Iterator[tuple[str, list[str]]]:
    """Each trivial answer, in words, and the criteria of ``exercise`` that it wins.

    The whole answer is replaced first. Then single leaves of right answers are: what is told of them is the criteria
    that have the leaf in a case, if they all are won, which is to say that none looks at it. A file's conventions have
    no answers of their own.
    """
    if not exercise.cases():
        return
    for title, answers in _whole(exercise, inputs, right):
        yield title, [c.name for c in exercise.criteria if not _lost(c.cases, c.failure, inputs, answers, right)]
    values = {case: outcome.tree for case in exercise.cases() if isinstance(outcome := right[case], Value)}
    for path in dict.fromkeys(path for tree in values.values() for path in leaves(tree) if path):
        holding = {case: tree for case, tree in values.items() if path in leaves(tree)}
        asking = [c for c in exercise.criteria if holding.keys() & set(c.cases)]
        for title in (*CONSTANTS, *FILLED):
            changed = {case: _trivial(title, leaf(tree, path)) for case, tree in holding.items()}
            if all(
                close()(None, Value(new), Value(leaf(holding[case], path))) is None for case, new in changed.items()
            ):
                continue  # it is right there
            answers = {**right, **{case: Value(replaced(holding[case], path, new)) for case, new in changed.items()}}
            lost = any(_lost(c.cases, c.failure, inputs, answers, right) for c in asking)
            where = "".join(f"[{key!r}]" for key in path)
            yield f"{title} as answer{where}", [] if lost else [c.name for c in asking]


def _lost(cases: Any, failure: Any, inputs: Mapping[Case, Inputs], answers: Answers, right: Answers) -> bool:
    return any(failure(inputs[case], answers[case], right[case]) for case in cases)


def _whole(exercise: Exercise, inputs: Mapping[Case, Inputs], right: Answers) -> Iterator[tuple[str, Answers]]:
    cases = exercise.cases()
    for title, constant in CONSTANTS.items():
        yield title, dict.fromkeys(cases, Value(constant))
    for title in FILLED:
        trees = {case: outcome.tree if isinstance(outcome := right[case], Value) else 0.0 for case in cases}
        yield title, {case: Value(_trivial(title, tree)) for case, tree in trees.items()}
    for number in range(max(len(inputs[case].args) for case in cases)):
        given = {case: inputs[case].args[number] for case in cases if number < len(inputs[case].args)}
        yield f"argument {number + 1}", {case: Value(given.get(case)) for case in cases}
    for name in dict.fromkeys(name for case in cases for name in inputs[case].kwargs):
        yield f"argument {name}", {case: Value(inputs[case].kwargs.get(name)) for case in cases}


def _trivial(title: str, tree: Any) -> Any:
    """A constant, or an answer of the form of ``tree`` that is full of one number."""
    return CONSTANTS[title] if title in CONSTANTS else filled(tree, FILLED[title])


def filled(tree: Any, number: float) -> Any:
    """One number wherever ``tree`` holds one: the same structure, shapes and, if they can hold it, dtypes."""
    match tree:
        case dict():
            return {key: filled(value, number) for key, value in tree.items()}
        case tuple() | list():
            return type(tree)(filled(value, number) for value in tree)
        case np.ndarray():
            held = tree.dtype.kind in "fc" or number == number
            full = np.full(tree.shape, number, tree.dtype if held else np.float64)
            return full.view(Tensor) if isinstance(tree, Tensor) else full
        case bool() | int() if number == number:
            return type(tree)(number)
        case bool() | int() | float():
            return number
    return tree


def leaves(tree: Any, path: Path = ()) -> list[Path]:
    """The paths to all arrays, numbers, strings and Nones."""
    if isinstance(tree, dict | tuple):
        items = tree.items() if isinstance(tree, dict) else enumerate(tree)
        return [found for key, value in items for found in leaves(value, (*path, key))]
    return [path]


def leaf(tree: Any, path: Path) -> Any:
    for key in path:
        tree = tree[key]
    return tree


def replaced(tree: Any, path: Path, new: Any) -> Any:
    """The tree with another leaf at the end of ``path``."""
    if not path:
        return new
    key, *rest = path
    if isinstance(tree, dict):
        return {**tree, key: replaced(tree[key], tuple(rest), new)}
    return tuple(replaced(value, tuple(rest), new) if number == key else value for number, value in enumerate(tree))
