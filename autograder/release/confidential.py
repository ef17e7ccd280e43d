"""What may not leave the course: answers, hidden cases and their numbers, mistakes with their sentences, the seed."""

from __future__ import annotations

import hashlib
import importlib.util
import io
import math
import re
import zipfile
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from autograder import visible
from autograder.course import Assignment, Conventions, Part
from autograder.judge import Judge
from autograder.loading import PUBLIC_SEED, stretched
from autograder.outcome import Value
from autograder.release.comparing import letters, squeezed
from autograder.sandbox.isolation import choose
from autograder.stubs import stub

SHOWN = "shown.txt"  # of solutions/: lines that stand in what is hidden and that students may read all the same
ANSWERS = "answers.md"  # to the questions that a handout asks
SHORTEST = 15  # characters other than spaces of a line that says something
TITLE = 5  # words of a case's title that says something
DIGITS = 8  # significant digits of a number that says something
EXACT = 12  # and as many as are the same on every machine
MOST = 200  # numbers of one array that are looked for
_IMPORT = re.compile(r"\s*(import|from)\s[\w.]+")
_PACKAGES = {"numpy": "numpy", "torch": "torch"}


@dataclass(frozen=True)
class Confidential:
    """Lines of code are :func:`squeezed`, and of what is said, such as titles, there are the :func:`letters`;
    ``numbers`` are sorted and have no sign; ``arrays`` are those of :func:`hashed`.
    """

    solution: frozenset[str]
    cases: frozenset[str]
    mistakes: frozenset[str]
    titles: frozenset[str] = frozenset()
    sentences: frozenset[str] = frozenset()
    answers: frozenset[str] = frozenset()
    numbers: tuple[float, ...] = ()
    arrays: frozenset[str] = frozenset()
    seed: tuple[str, ...] = ()

    def has_number(self, value: float, digits: int) -> bool:
        """Whether one of the numbers is ``value``, which is written with so many significant digits. By fewer than are
        written, some of the many numbers would be found by chance.
        """
        size = abs(value)
        if not 0 < size < math.inf:
            return False
        unit = 10.0 ** (math.floor(math.log10(size)) + 1 - min(digits, EXACT))
        place = bisect_left(self.numbers, size - unit)
        return place < len(self.numbers) and self.numbers[place] <= size + unit


def confidential(assignment: Assignment, root: Path, seed: str, say: Callable[[str], None]) -> Confidential:
    """All of it for one assignment. The references are run on the hidden inputs, confined as in grading; not those that
    need a package that is not installed, and no trainings.

    Raises:
        SandboxError: they cannot be run.
    """
    folder = root / "solutions" / assignment.name
    public = shown(root) | {f'"{exercise.name}",' for exercise in assignment.every_exercise}
    stubs = "\n".join(_stub(assignment, module) for module in assignment.references)
    wrong, told = assignment.misconceptions, _told(assignment, root)
    given = [stubs, *assignment.provided.values(), *told]

    def lines(form: Callable[[str], str], *texts: str) -> frozenset[str]:
        known, free = "".join(map(form, given)), {form(line) for line in public}
        found = (form(line) for text in texts for line in text.splitlines() if not _IMPORT.match(line))
        return frozenset(line for line in found if len(line) >= SHORTEST and line not in known and line not in free)

    cases = (folder / "grading" / "cases.py").read_text(encoding="utf-8")
    titles = [case.title for e in assignment.every_exercise for case in e.cases() if len(case.title.split()) >= TITLE]
    answers = [path.read_text(encoding="utf-8") for path in folder.glob(ANSWERS)]
    numbers = _numbers(assignment, seed, say)
    return Confidential(
        solution=lines(squeezed, *assignment.references.values(), *(one.source for one in assignment.alternatives)),
        cases=lines(squeezed, cases),
        mistakes=lines(squeezed, *(one.new for one in wrong)),
        titles=lines(letters, *titles),
        sentences=lines(letters, *(one.sentence for one in wrong if one.sentence not in told)),
        answers=lines(letters, *answers),
        numbers=tuple(sorted({abs(value) for array in numbers for value in _first(array)})),
        arrays=frozenset(map(hashed, filter(_telling, numbers))) | _unshipped(root),
        seed=() if seed == PUBLIC_SEED else (seed, stretched(seed)),
    )


def without_solution(secret: Confidential, assignment: Assignment) -> Confidential:
    """What may not be seen after the deadline either, when the solution is shown."""
    source = squeezed("\n".join(assignment.references.values()))
    cases, mistakes = (
        frozenset(line for line in lines if line not in source) for lines in (secret.cases, secret.mistakes)
    )
    return replace(secret, solution=frozenset(), cases=cases, mistakes=mistakes)


def shown(root: Path) -> frozenset[str]:
    """The lines that ``solutions/shown.txt`` lists; what begins with ``#`` there is a remark."""
    try:
        text = (root / "solutions" / SHOWN).read_text(encoding="utf-8")
    except FileNotFoundError:
        return frozenset()
    return frozenset(line for line in text.splitlines() if line and not line.startswith("#"))


def _told(assignment: Assignment, root: Path) -> set[str]:
    """The sentences on mistakes that visible tests show, which students are told with those."""
    path = root / "assignments" / assignment.name / visible.MISTAKES
    return visible.told(path.read_bytes()) if path.is_file() else set()


def hashed(array: np.ndarray) -> str:
    return hashlib.sha256(array.dtype.str.encode() + np.ascontiguousarray(array).tobytes()).hexdigest()


def _telling(array: np.ndarray) -> bool:
    """Whether an array is more than a few small numbers, which anyone could write."""
    return array.size >= SHORTEST and len(np.unique(array)) > SHORTEST


def _stub(assignment: Assignment, module: str) -> str:
    asked = [e.name for e in assignment.every_exercise if e.part == module and not isinstance(e, Conventions)]
    return stub(assignment.references[module], asked)


def _numbers(assignment: Assignment, seed: str, say: Callable[[str], None]) -> list[np.ndarray]:
    """The hidden inputs, and what the references answer."""
    with Judge(assignment, seed, choose(None)) as judge:
        found = [array for given in judge.key.inputs.values() for array in _arrays([given.args, given.kwargs])]
        for part in assignment.parts:
            if importlib.util.find_spec(_PACKAGES[part.runtime]):
                found += _answers(judge, part)
            else:
                say(
                    f"What {part.name}.py answers to hidden cases is not searched for: {part.runtime} is not installed."
                )
    return found


def _answers(judge: Judge, part: Part) -> list[np.ndarray]:
    files = {f"{part.name}.py": judge.assignment.references[part.name]}
    session = judge.sandboxes.session(part, files)
    found: list[np.ndarray] = []
    try:
        for exercise in judge.assignment.part_exercises(part):
            for case in exercise.cases():
                if not case.training:
                    question = judge.examiner.question(exercise, case, judge.key.inputs[case])
                    outcome = session.ask(question, exercise.cpu_limit)
                    found += _arrays(outcome.tree) if isinstance(outcome, Value) else ()
    finally:
        session.close()
    return found


def _arrays(tree: Any) -> Iterator[np.ndarray]:
    if isinstance(tree, dict):
        tree = list(tree.values())
    if isinstance(tree, list | tuple):
        for item in tree:
            yield from _arrays(item)
    elif isinstance(tree, np.ndarray | float):
        yield np.asarray(tree)


def _first(array: np.ndarray) -> Iterable[float]:
    """The first numbers of an array, as far as they have digits enough to be known by."""
    if array.dtype.kind != "f":
        return ()
    values = array.astype(float).ravel()[:MOST]
    return [value for value in values[np.isfinite(values)] if len(f"{value:.15g}".strip("-0.").replace(".", "")) > 6]


def _unshipped(root: Path) -> frozenset[str]:
    """The rows of arrays in ``data/`` that no lab reads: what hidden cases are made of."""
    labs = "".join(path.read_text(encoding="utf-8") for path in sorted((root / "solutions").glob("*/lab.py")))
    found: set[str] = set()
    for path in sorted((root / "data").glob("*.npz")):
        if f"data/{path.name}" not in labs:
            found |= {hashed(row) for array in arrays_in(path.read_bytes()) for row in rows(array)}
    return frozenset(found)


def rows(array: np.ndarray) -> Iterator[np.ndarray]:
    """What an array holds along its first axis, as far as that is more than numbers; and the array itself."""
    yield array
    if array.ndim > 1:
        yield from filter(_telling, array)


def arrays_in(data: bytes) -> Iterator[np.ndarray]:
    """The arrays of an ``.npz`` file, or the one of an ``.npy`` file."""
    file = io.BytesIO(data)
    if zipfile.is_zipfile(file):
        with np.load(file, allow_pickle=False) as archive:
            yield from archive.values()
    else:
        yield np.load(io.BytesIO(data), allow_pickle=False)
