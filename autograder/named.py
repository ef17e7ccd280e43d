"""Where the files of an assignment name exercises and what belongs to them, and which of those names are nobody's.

A name that is misspelled, or was left behind when an exercise was taken out, is told with its file and line.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from autograder.course import Assignment, Conventions, Exercise
from autograder.loading import grading_module
from autograder.restated import HANDOUTS, ROW, TABLE, TESTS
from autograder.source import reached

OUTSIDERS = Path("tests") / "outsiders"  # solutions by people who saw no bank, where a course has some
_CELL = re.compile(r'^grader\.check\("(\w+)"\)', re.MULTILINE)
_NOW = re.compile(r"^\*\*(?:Write now|现在\w+)\*\*.*?(?=[.。](?:\s|$)|\n\n|。|\Z)", re.MULTILINE | re.DOTALL)
_RUN = re.compile(r"\btests/(\w+)\.py|--hint (\w+)")
_QUOTED = re.compile(r"`(\w+)`")
_SECTION = re.compile(r"^ *Handout: ", re.MULTILINE)
_OUTSIDER = re.compile(r"# (\w+): \[")


@dataclass(frozen=True, eq=False)
class Kind:
    """What a name has to be: ``word`` as in "no exercise is called"; ``known`` are all that there are."""

    word: str
    known: Collection[str]

    def problem(self, name: str) -> str:
        """Why ``name`` is none, with the one that may be meant; empty where it is one."""
        if name in self.known:
            return ""
        near = get_close_matches(name, self.known, 1)
        return f"no {self.word} is called {name}" + (f" (do you mean {near[0]}?)" if near else "")


def unknown_names(assignment: Assignment, root: Path) -> Iterator[str]:
    """A sentence for each place of an assignment's files that names what is not there, or holds what nobody names.

    Raises:
        CourseError: its demo class cannot be loaded.
    """
    for path, line, name, kind in _named(assignment, root):
        if problem := kind.problem(name):
            yield f"{place(path, root, line)}: {problem}"
    yield from _left(assignment, root)


def place(path: Path, root: Path, line: int = 0) -> str:
    """A file of the course as sentences name it, with the line, where there is one to name."""
    label = path.relative_to(root).as_posix()
    return f"{label}:{line}" if line else label


def lines_of(path: Path, text: str) -> list[int]:
    """The lines of a Python file in which a literal or a keyword is ``text``."""
    found = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        match node:
            case ast.Constant(str(value)) if value == text:
                found.append(node.lineno)
            case ast.keyword(arg=str(value)) if value == text:
                found.append(node.lineno)
    return sorted(found)


def _line_of_variable(path: Path, variable: str) -> int:
    text = path.read_text(encoding="utf-8")
    found = re.search(rf"^{variable}\b", text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found else 0


def _named(assignment: Assignment, root: Path) -> Iterator[tuple[Path, int, str, Kind]]:
    """Each name with its file, its line (0 where a file has it for its own name, or makes it) and what it has to be."""
    folder, handed_out = (root / half / assignment.name for half in ("solutions", "assignments"))
    exercise = Kind("exercise", [one.name for one in assignment.every_exercise])
    for module, names in _in_grading(assignment, root, exercise).items():
        path = folder / "grading" / f"{module}.py"
        for name, kind in dict.fromkeys(names):
            # where it is nobody's: each of its lines, and none where the file makes the name
            for line in (lines_of(path, name) or [0]) if kind.problem(name) else ():
                yield path, line, name, kind
    texts = {folder / "lab.py": _CELL, **dict.fromkeys(sorted(handed_out.glob(HANDOUTS)), _RUN)}
    for path in (path for path in texts if path.is_file()):
        text = path.read_text(encoding="utf-8", errors="replace")
        spans = [found.span(found.lastindex or 0) for found in texts[path].finditer(text)]
        if texts[path] is _RUN:
            spans += _in_handout(text)
        for start, end in sorted(spans):
            yield path, text.count("\n", 0, start) + 1, text[start:end], exercise
    for path in sorted(handed_out.glob(TESTS)):
        yield path, 0, path.stem, exercise
        for line, name in _calls(path):
            yield path, line, name, exercise
    for path in sorted((root / OUTSIDERS / assignment.name.split("_")[0] / "wrong").glob("*.py")):
        if found := _OUTSIDER.match(path.read_text(encoding="utf-8", errors="replace")):
            yield path, 1, found[1], exercise


def _in_grading(assignment: Assignment, root: Path, exercise: Kind) -> Mapping[str, list[tuple[str, Kind]]]:
    """Module of ``grading`` → the names in it, and what each has to be."""
    drivers = Kind("function of drivers.py", reached(assignment.drivers))
    definition = Kind(
        "function or class of the references", {n for text in assignment.references.values() for n in reached(text)}
    )
    changes = [one.name for one in assignment.misconceptions] + [one.name for one in assignment.alternatives]
    change, part = Kind("mistake or alternative", changes), Kind("part", assignment.references)
    laws = [one for one in assignment.every_exercise if isinstance(one, Conventions)]
    members = grading_module(assignment.name, root, "demo").CLASS
    unsolved = [one.unsolved for one in members if one.unsolved != "all"]

    def each(kind: Kind, names: Iterable[str]) -> list[tuple[str, Kind]]:
        return [(name, kind) for name in names]

    return {
        "cases": [
            *each(exercise, (name for law in laws for name in law.mixed)),
            *each(drivers, _drivers(assignment)),
            *each(drivers, (name for law in laws for name in law.lent)),
        ],
        "misconceptions": each(exercise, (one.exercise for one in assignment.misconceptions)),
        "alternatives": each(exercise, (one.exercise for one in assignment.alternatives)),
        "promises": [
            *each(exercise, (one.exercise for one in assignment.promises)),
            *each(definition, (one.definition for one in assignment.unbroken)),
        ],
        "equivalents": [
            *each(exercise, (one.exercise for one in assignment.trivial)),
            *each(definition, (one.definition for one in assignment.equivalents)),
        ],
        "demo": [
            *each(exercise, (name for names in unsolved for name in names)),
            *each(change, (name for one in members for name in one.changes)),
            *each(part, (name for one in members for name in one.appended)),
        ],
    }


def _drivers(assignment: Assignment) -> set[str]:
    return {case.driver for exercise in assignment.every_exercise for case in exercise.cases()} - {""}


def _in_handout(text: str) -> Iterator[tuple[int, int]]:
    """From where to where names of exercises stand: in the rows of the table, and where it says what to write now."""
    table = TABLE.search(text)
    rows = ROW.finditer(text, *table.span("rows")) if table else ()
    for found in (*rows, *_NOW.finditer(text)):
        start, end = found.span("title") if "title" in found.re.groupindex else found.span()
        yield from (name.span(1) for name in _QUOTED.finditer(text, start, end))


def _calls(path: Path) -> Iterator[tuple[int, str]]:
    """Of the visible test of a file's conventions: line and name of each function that it calls."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return  # which `restated` says
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name("CALLS")], value=ast.Dict(keys=keys)):
                for key in keys:
                    if isinstance(key, ast.Constant) and isinstance(key.value, str):
                        yield key.lineno, key.value


def _left(assignment: Assignment, root: Path) -> Iterator[str]:
    """What nothing asks for: exercises that are not listed, drivers, and references that students would be given."""
    folder = root / "solutions" / assignment.name
    exercises = {exercise.name for exercise in assignment.every_exercise}
    path = folder / "grading" / "cases.py"
    for variable, value in vars(grading_module(assignment.name, root, "cases")).items():
        if isinstance(value, Exercise) and value.name not in exercises:
            yield f"{place(path, root, _line_of_variable(path, variable))}: {variable} is not among EXERCISES"
    calls, asked = reached(assignment.drivers), _drivers(assignment)
    used = asked.union(*(calls[name] for name in asked & calls.keys()))
    for node in ast.parse(assignment.drivers).body:
        if isinstance(node, ast.FunctionDef) and node.name not in used:
            yield f"{place(folder / 'grading' / 'drivers.py', root, node.lineno)}: no case is put by {node.name}"
    for module, text in assignment.references.items():
        definitions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
        for node in definitions:
            if node.name not in exercises and _SECTION.search(ast.get_docstring(node) or ""):
                where = place(folder / f"{module}.py", root, node.lineno)
                yield f"{where}: {node.name} is no exercise, and students would be given all of it"
