"""What a wrong answer is told by: digests that equal wrong answers share, and which hold no value.

Two answers to an exercise are equal if they fail in the same cases, raise the same exceptions, have the same structure,
shapes, dtypes, integers and truth values, and if their real numbers agree to the tolerance of the check.

That numbers agree has to be seen from digests alone, by processes that each know one answer. So of all numbers that an
answer gets wrong ``NUMBERS`` are made that move by no more than a known ``STEP / GRIDS`` where each entry moves by the
tolerance, and each is rounded on ``GRIDS = NUMBERS + 1`` grids of width ``STEP``, offset by ``STEP / GRIDS`` against
each other. A number that moves so little crosses a border in one of the grids at most, so all of them together leave
one grid at least in which nothing is rounded otherwise: equal answers share a digest, wherever the borders lie. That
different answers share one needs all numbers to agree within ``STEP``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from autograder.compare import NOT_IMPORTED, RTOL, Failure
from autograder.course import Assignment, Case, Exercise
from autograder.diagnosis import SILENT
from autograder.outcome import Malformed, NotImported, Outcome, Raised, Stopped, Unsuitable, Value
from autograder.sandbox.wire import encode
from autograder.scoring import Failures
from autograder.student.checks.agreement import ZERO, as_array
from autograder.verdict import Evidence, Verdict

BUCKETS = 3
NUMBERS = 2 * BUCKETS + 1  # a mean and a maximum of each bucket, and the scale
GRIDS = NUMBERS + 1
MOVES = 4.0  # tolerances by which a number may move at most: an entry by one, what it is divided by by another
NODES = 10_000  # of an answer, beyond which only the very same one is equal
BYTES = 6  # of a digest: among a thousand answers two agree by chance once in half a million times


def digests(assignment: Assignment, evidence: Evidence, judged: Verdict) -> dict[str, list[str]]:
    """Failing exercise → the :data:`GRIDS` digests of its answers. None where nothing could be asked, or was begun."""
    failing = {result.name for result in judged.exercises if result.status == "failed"}
    found = {}
    for exercise in assignment.exercises:
        failures = judged.failures.get(exercise.name, {})
        kinds = {failure.kind for failed in failures.values() for _, failure in failed}
        if exercise.name in failing and kinds - {NOT_IMPORTED}:
            found[exercise.name] = answer_digests(exercise, failures, evidence.answers, evidence.expected)
    return found


def answer_digests(
    exercise: Exercise, failures: Failures, got: Mapping[Case, Outcome], expected: Mapping[Case, Outcome]
) -> list[str]:
    """One digest a grid. What fails for its time alone counts by that alone, and not at all beside another failure.

    Args:
        failures: criterion → the cases that fail.
        got, expected: of each case that fails.
    """
    wrong: dict[str, tuple[Case, Failure]] = {}
    failed = [(name, case, failure) for name, cases in failures.items() for case, failure in cases]
    loud = [one for one in failed if one[2].kind not in SILENT] or failed
    exact = hashlib.sha256(exercise.name.encode())
    for name, case, failure in loud:
        exact.update(repr((name, case.title, failure.kind if failure.kind in SILENT else "")).encode())
        wrong.setdefault(case.title, (case, failure))
    entries: list[np.ndarray] = []
    scales: list[float] = []
    tolerance = RTOL["float64"]
    for case, failure in wrong.values():
        exact.update(_kind(got[case]).encode())
        if isinstance(answer := got[case], Value) and failure.kind not in SILENT:
            if _nodes(answer.tree) > NODES:  # to look at every one of them would cost more than to grade it
                exact.update(encode(answer.tree))
                continue
            want = expected.get(case)
            right = list(_leaves(want.tree)) if isinstance(want, Value) else []
            mine = list(_leaves(answer.tree))
            alike = [leaf.shape for leaf in mine] == [leaf.shape for leaf in right]
            for number, leaf in enumerate(mine):
                exact.update(repr((leaf.dtype.str, leaf.shape)).encode())
                target = right[number] if alike and right[number].dtype.kind in "fiu" else None
                if leaf.dtype.kind == "f":
                    narrow = leaf.dtype.itemsize < 8 or (target is not None and target.dtype.name == "float32")
                    tolerance = RTOL["float32"] if narrow else tolerance
                    scale, error = _error(leaf, target)
                    exact.update(np.where(np.isfinite(leaf), 0, np.nan_to_num(np.sign(leaf), nan=2)).tobytes())
                    entries.append(error)
                    scales.append(np.log(scale))
                else:
                    exact.update(leaf.tobytes())
            for word in _structure(answer.tree):
                exact.update(f"{word}\n".encode())
    numbers = _numbers(np.concatenate([*entries, np.zeros(0)]), scales)
    step = GRIDS * MOVES * tolerance
    cells = (np.floor(numbers / step + grid / GRIDS).astype(np.int64) for grid in range(GRIDS))
    return [
        hashlib.sha256(exact.digest() + bytes([grid]) + cell.tobytes()).hexdigest()[: 2 * BYTES]
        for grid, cell in enumerate(cells)
    ]


def _error(leaf: np.ndarray, target: np.ndarray | None) -> tuple[float, np.ndarray]:
    """The largest finite magnitude of answer and right answer, and how far each entry is off in units of it; 0 for an
    entry that is not finite.
    """
    mine = np.where(np.isfinite(leaf), leaf, 0).astype(np.longdouble).ravel()
    right = np.zeros_like(mine)
    if target is not None:
        right = np.where(np.isfinite(target), target, 0).astype(np.longdouble).ravel()
    scale = max(np.abs(mine).max(initial=0), np.abs(right).max(initial=0), np.longdouble(ZERO))
    off = np.where(np.isfinite(leaf).ravel(), (mine - right) / scale, 0)
    return float(scale), off.astype(np.float64)


def _numbers(entries: np.ndarray, scales: list[float]) -> np.ndarray:
    """Means and maxima of the entries, with chance signs, over chance buckets; and the mean of the ``scales``.

    None moves more than the entry, or the scale, that moves most. A mean sees every entry a little, a maximum the
    largest of them wholly, however many there are.
    """
    chance = np.random.default_rng(len(entries))
    signed = entries * chance.choice([-1.0, 1.0], len(entries))
    bucket = chance.integers(BUCKETS, size=len(entries))
    parts = [signed[bucket == number] for number in range(BUCKETS)]
    found = [(part.mean(), part.max()) if part.size else (0.0, 0.0) for part in parts]
    return np.array([*(number for pair in found for number in pair), np.mean(scales) if scales else 0.0])


def _kind(outcome: Outcome) -> str:
    match outcome:
        case Raised(name):
            return f"raised {name}"
        case Unsuitable(what, name):
            return f"{what} {name}"
        case Stopped(reason):
            return f"stopped {reason}"
        case Value() | Malformed() | NotImported():
            return type(outcome).__name__


def _leaves(tree: Any) -> Iterator[np.ndarray]:
    """The numbers and truth values of an answer, in order; complex ones as pairs."""
    array = _array(tree)
    if array is not None:
        yield np.stack([array.real, array.imag]) if array.dtype.kind == "c" else array
    elif isinstance(tree, dict | list | tuple):
        for item in tree.values() if isinstance(tree, dict) else tree:
            yield from _leaves(item)


def _structure(tree: Any) -> Iterator[str]:
    """What holds the leaves, word by word. A list of numbers stands for an array, as it does in every check."""
    if _array(tree) is not None:
        yield "array"
    elif isinstance(tree, dict):
        yield repr([*tree])
        for item in tree.values():
            yield from _structure(item)
    elif isinstance(tree, list | tuple):
        yield f"{len(tree)} values"
        for item in tree:
            yield from _structure(item)
    else:
        yield repr(tree)


def _nodes(tree: Any) -> int:
    """How many things a tree holds; an array and a list of numbers alone are one."""
    items = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list | tuple) else ()
    numbers = isinstance(tree, list) and all(type(item) in (int, float, bool) for item in tree)
    return 1 + (0 if numbers else sum(map(_nodes, items)))


def _array(tree: Any) -> np.ndarray | None:
    """The array that ``tree`` stands for; of a tuple, which holds several answers, none."""
    if isinstance(tree, dict | tuple | str) or tree is None:
        return None
    try:
        return as_array(tree)
    except (TypeError, ValueError):
        return None
