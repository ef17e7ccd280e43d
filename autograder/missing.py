"""What an assignment still lacks, a sentence for each piece, so that a new exercise is led to its end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from autograder.course import Alternative, Assignment, Conventions, CourseError, Misconception
from autograder.loading import load
from autograder.named import lines_of, place, unknown_names
from autograder.patch import apply
from autograder.restated import HANDOUT, HANDOUTS, TABLE, TESTS

MARK = "FILL IN"  # where `new` leaves something to a person
_MARK = re.compile(rf"{MARK}(?:: ?(?P<what>[^\"\n|.*]*))?")  # up to the end of its sentence
BY_HAND = (("solutions", ("*.py", "*.toml", "grading/*.py")), ("assignments", (HANDOUTS, TESTS)))


def missing_pieces(name: str, root: Path) -> list[str]:
    """A sentence for each mark that is left and, where the assignment can be loaded, for each piece that is not there
    and each name that is nobody's.

    Args:
        name: the assignment's full name.
    """
    found = unfilled(name, root)
    try:
        assignment = load(name, root)
    except CourseError:  # which `build` says
        return found
    try:
        return [*found, *lacking(assignment, root), *unknown_names(assignment, root)]
    except CourseError as error:
        return [*found, str(error).removesuffix(".")]


def unfilled(name: str, root: Path) -> list[str]:
    """A sentence for each mark that is left in an assignment's files, with file and line.

    Args:
        name: the assignment's full name.
    """
    found = []
    for half, patterns in BY_HAND:
        for path in sorted(path for pattern in patterns for path in (root / half / name).glob(pattern)):
            for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
                for mark in _MARK.finditer(line):
                    what = (mark["what"] or "").strip(" )]}")
                    found.append(f"{place(path, root, number)} is not filled in" + (f": {what}" if what else ""))
    return found


def lacking(assignment: Assignment, root: Path) -> list[str]:
    """A sentence for each piece that an exercise of ``assignment`` needs and does not have; points are not among them,
    since an exercise may be dropped.
    """
    return list(_lacking(assignment, root))


def _lacking(assignment: Assignment, root: Path) -> Iterator[str]:
    ours, theirs = (f"{half}/{assignment.name}" for half in ("solutions", "assignments"))
    known = {wrong.exercise for wrong in assignment.misconceptions}
    parts = {exercise.name: exercise.part for exercise in assignment.every_exercise}
    for module, change in _changes(assignment):
        if change.exercise in parts:  # else its name is nobody's
            try:
                apply(assignment.references[parts[change.exercise]], change)
            except (CourseError, LookupError) as error:
                path = root / ours / "grading" / f"{module}.py"
                line = next(iter(lines_of(path, change.name)), 0)
                yield f"{place(path, root, line)}: {error.args[0].rstrip('.')}"
    lab, handout = (root / path for path in (f"{ours}/lab.py", f"{theirs}/{HANDOUT}"))
    checked = set(re.findall(r'^grader\.check\("(\w+)"\)', _read(lab), re.MULTILINE))
    for exercise in assignment.every_exercise:
        name = exercise.name
        if not isinstance(exercise, Conventions) and name not in assignment.needs:  # which has every definition
            yield f"{ours}/{exercise.part}.py defines no {name}"
        if not isinstance(exercise, Conventions) and name not in known:
            yield f"{ours}/grading/misconceptions.py: no mistake in {name} is known"
        if not (root / theirs / "tests" / f"{name}.py").is_file():
            yield f"{theirs}/tests/{name}.py, the visible test, is missing"
        if lab.is_file() and name not in checked and name in assignment.points:
            yield f'{ours}/lab.py: there is no cell grader.check("{name}")'
    if not handout.is_file():
        yield f"{theirs}/{HANDOUT}, the handout, is missing"
    elif not TABLE.search(_read(handout)):
        yield f'{theirs}/{HANDOUT}: there is no table below a heading "## Exercises and points"'


def _changes(assignment: Assignment) -> Iterator[tuple[str, Misconception | Alternative]]:
    """The changes of a reference that are filled in, each with the module of the bank that it stands in."""
    yield from (("misconceptions", one) for one in assignment.misconceptions if MARK not in one.old)
    yield from (("alternatives", one) for one in assignment.alternatives if MARK not in one.source)


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""
