"""Random answers to every check of an assignment: none may make one raise, or cost far more than a right one does.

An answer is anything that travels and that the judge keeps: a tree of its own, or a right one with something changed.
Now and then what it is compared with is changed too, as by a mistake in the reference.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from autograder import trivial
from autograder.compare import close
from autograder.course import Assignment, Case, Inputs
from autograder.examiner import LARGE
from autograder.outcome import Malformed, NotImported, Outcome, Raised, Stopped, Unsuitable, Value
from autograder.sandbox.wire import Tensor, weight

Generator = np.random.Generator

DTYPES = ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16")
GIANT = (1 << 26, 1 << 20, 70_000)  # sides that an array without entries may have
NUMBERS = (
    0,
    1,
    -1,
    2**31,
    2**63 - 1,
    2**64 - 1,
    -(2**63),
    0.5,
    1e308,
    5e-324,
    float("nan"),
    float("inf"),
    -float("inf"),
)
WORDS = ("", "x", "1.0", "float64", "é" * 50)
ELSE: tuple[Outcome, ...] = (
    *(Raised(name) for name in ("ValueError", "KeyError", "MemoryError", "NotImplementedError", "BaseException")),
    *(Stopped(reason) for reason in ("time", "waiting", "budget", "died", "protocol")),
    *(Unsuitable(what) for what in ("missing", "parameters", "inconsistent", "oversized")),
    Malformed("a function"),
    NotImported("no"),
)
SLOWER = 30  # times the CPU time of the right answer's check and of a look at the longest list that is kept
LARGER = 32  # times the bytes of the answer and of LARGE, beside some times what the right answer's check takes


class Costly(Exception):
    """A check of an answer that took far more time or memory than it may."""


def pick(rng: Generator, choices: Any) -> Any:
    return choices[int(rng.integers(len(choices)))]


def strange(rng: Generator, depth: int = 3) -> Any:
    """A tree of anything."""
    kind = rng.random()
    if depth == 0 or kind < 0.35:
        return some_array(rng)
    if kind < 0.5:
        return pick(rng, (None, True, False, *NUMBERS, *WORDS))
    children = [strange(rng, depth - 1) for _ in range(int(rng.integers(5)))]
    if kind < 0.7:
        return children
    if kind < 0.85:
        return tuple(children)
    return {some_key(rng): child for child in children}


def some_key(rng: Generator) -> Any:
    return pick(rng, (*NUMBERS, *WORDS, None, True, ("a", 1), (), "x", "weight", 0, 1))


def some_array(rng: Generator) -> np.ndarray:
    shape = [int(side) for side in rng.integers(5, size=int(rng.integers(5)))]
    if rng.random() < 0.2:
        shape = [pick(rng, GIANT), *shape[:1], 0]
        rng.shuffle(shape)
    with np.errstate(all="ignore"):
        return perhaps_tensor(rng, rng.normal(size=shape, scale=pick(rng, (0, 1, 1e4))).astype(pick(rng, DTYPES)))


def perhaps_tensor(rng: Generator, array: np.ndarray) -> np.ndarray:
    return array.view(Tensor) if rng.random() < 0.3 else array.view(np.ndarray)


def changed(rng: Generator, right: Any) -> Any:
    """A right answer with one to three changes."""
    for _ in range(int(rng.integers(1, 4))):
        path = pick(rng, trivial.leaves(right) or [()])
        path = path[: int(rng.integers(len(path) + 1))] if rng.random() < 0.3 else path
        right = trivial.replaced(right, path, changed_node(rng, trivial.leaf(right, path)))
    return right


def changed_node(rng: Generator, node: Any) -> Any:
    if rng.random() < 0.15:
        return strange(rng)
    if isinstance(node, dict):
        return changed_dictionary(rng, node)
    if isinstance(node, tuple | list):
        items = list(node)
        keep = pick(rng, (items[1:], items * 2, items[::-1], [items], [*items, strange(rng, 1)], items))
        return pick(rng, (list, tuple))(keep)
    if isinstance(node, np.ndarray | int | float):
        return changed_array(rng, np.asarray(node))
    return pick(rng, (None, *WORDS, *NUMBERS))


def changed_dictionary(rng: Generator, node: dict[Any, Any]) -> dict[Any, Any]:
    names = list(node)
    match int(rng.integers(3)):
        case 0:
            return {name: node[name] for name in names[1:]}
        case 1:
            return {**node, some_key(rng): strange(rng, 1)}
        case _:
            return {some_key(rng) if name == names[-1] else name: node[name] for name in names}


def changed_array(rng: Generator, array: np.ndarray) -> Any:
    other = array.copy()
    match int(rng.integers(8)):
        case 0 if array.ndim and len(array):
            return array[0]
        case 1:
            return array[None]
        case 2:
            return array.T[::-1] if array.ndim else array
        case 3:
            with np.errstate(all="ignore"):
                other = array.astype(pick(rng, DTYPES))
        case 4 if array.size:
            with suppress(OverflowError, ValueError), np.errstate(all="ignore"):
                other.flat[int(rng.integers(array.size))] = pick(rng, NUMBERS)
        case 5 if max(array.shape, default=0) < min(GIANT):
            return uneven(rng, array.tolist())
        case 6:
            other = array[1:] if array.ndim else array
        case _:
            other = np.full(array.shape, pick(rng, (0.0, 1.0, float("nan"), float("inf"), -1e300)))
    return perhaps_tensor(rng, other)


def uneven(rng: Generator, rows: Any) -> Any:
    """A nested list, perhaps with something in it that does not fit."""
    if isinstance(rows, list) and rows and rng.random() < 0.7:
        rows[int(rng.integers(len(rows)))] = pick(rng, (rows[:1], strange(rng, 1), uneven(rng, rows[0])))
    return rows


class Checks:
    """Every check of an assignment with the inputs and outcomes that it is made for."""

    def __init__(self, assignment: Assignment, inputs: Mapping[Case, Inputs], expected: Mapping[Case, Outcome]) -> None:
        self.asked = [
            (f"{assignment.name} {exercise.name} {criterion.name} “{case.title}”", criterion, case)
            for exercise in assignment.exercises
            for criterion in exercise.criteria
            for case in criterion.cases
        ]
        self.inputs, self.expected = inputs, expected
        self.longest = [0.5] * (LARGE // 8)
        self.look = self._look()
        self.baselines: dict[str, tuple[float, int]] = {}  # seconds and bytes of right answers' checks, by title

    def one(self, rng: Generator) -> str:
        """Put a random answer to a random check, and say which. Whatever a check raises, this raises.

        Raises:
            Costly: the check took far more CPU time or memory than it may.
        """
        title, criterion, case = pick(rng, self.asked)
        given, want = self.inputs[case], self.expected[case]
        got = self.outcome(rng, want)
        if rng.random() < 0.2:
            criterion.failure(given, got, self.outcome(rng, want), want)
            return str(title)
        failed, seconds, peak = cost(lambda: criterion.failure(given, got, want))
        assert failed is None or (failed.kind and failed.sentence)
        if title not in self.baselines:
            self.baselines[title] = cost(lambda: criterion.failure(given, want, want))[1:]
        usual, usual_peak = self.baselines[title]
        size = weight(got.tree) if isinstance(got, Value) else 0
        if peak > 4 * usual_peak + LARGER * (size + LARGE):
            raise Costly(f"{title}: {peak >> 20} MiB")
        if seconds > SLOWER * (usual + self.look):  # once more, side by side
            seconds = cost(lambda: criterion.failure(given, replace(got), want))[1]
            usual = cost(lambda: criterion.failure(given, replace(want), want))[1] + self._look()
            if seconds > SLOWER * usual:
                raise Costly(f"{title}: {seconds / usual:.0f} times what a right answer takes")
        return str(title)

    def outcome(self, rng: Generator, right: Outcome) -> Outcome:
        """What a child could send."""
        kind = rng.random()
        if kind < 0.05:
            return pick(rng, ELSE)  # type: ignore[no-any-return]
        while True:
            known = isinstance(right, Value) and kind < 0.75
            tree = changed(rng, right.tree) if known and isinstance(right, Value) else strange(rng)
            if weight(tree) <= LARGE + (16 * weight(right.tree) if isinstance(right, Value) else 0):
                return Value(tree, changed=bool(rng.random() < 0.2))

    def _look(self) -> float:
        """Seconds that it takes to look at the longest list that is kept."""
        return cost(lambda: close()(None, Value(self.longest), Value(np.array(self.longest))))[1]


def cost(act: Callable[[], Any]) -> tuple[Any, float, int]:
    """What ``act`` returns, and the seconds of CPU and most bytes that it takes."""
    tracemalloc.reset_peak()
    before, start = tracemalloc.get_traced_memory()[0], time.process_time()
    result = act()
    return result, time.process_time() - start, tracemalloc.get_traced_memory()[1] - before
