# Generated from autograder/student/checks/running.py by "python -m autograder build": change it there.
"""Runs test files without any test runner: in a fraction of a second, where they need NumPy only."""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import io
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path

from . import calls, files
from .criteria import Criterion
from .reading import HERE
from .report import Exercise, Result, last_lines, order

TESTS = HERE / "tests"


def declared() -> list[Exercise]:
    """All exercises as their test files declare them, in order; no file is executed for that."""
    found = [_declared(path) for path in sorted(TESTS.glob("*.py"))]
    return sorted(found, key=lambda exercise: order(exercise.name))


def module_of(exercise: str) -> str:
    """The student's module that an exercise is about: the one that defines it, or that its test file names."""
    if found := files.place(exercise):
        return found[0]
    modules = files.modules()
    named = [node.value for node in ast.walk(_tree(_path(exercise))) if isinstance(node, ast.Constant)]
    return next((name for name in named if name in modules), "")


def run(exercise: Exercise) -> None:
    """Run the tests of an exercise, and keep what became of each in it."""
    try:
        found = tests(exercise.name)
    except Exception as error:
        for result in exercise.results:
            result.ran, result.error = True, error
            result.sentence = f"Its test file cannot be read: {type(error).__name__}: {error}"
        return
    for result in exercise.results:
        attempt(result, exercise.name, found[result.criterion.name])


def attempt(result: Result, exercise: str, test: Callable[[], None]) -> None:
    """Run one test."""
    printed = io.StringIO()
    result.ran = True
    with warnings.catch_warnings(), contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        warnings.simplefilter("ignore")
        try:
            test()
        except (Exception, SystemExit) as error:
            result.fail(error, exercise)
            result.line = result.line or _test_line(exercise, error)
            result.printed = last_lines(printed.getvalue())
    result.notes = tuple(calls.written)


def _path(exercise: str) -> Path:
    return TESTS / f"{exercise}.py"


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_bytes())


def _declared(path: Path) -> Exercise:
    """What ``@criterion(name, points, hint=...)`` and ``bonus = True`` say in a test file; nothing if it is broken."""
    found = Exercise(path.stem)
    try:
        body = _tree(path).body
    except (SyntaxError, ValueError):
        body = []
    for node in body:
        match node:
            case ast.FunctionDef(decorator_list=[ast.Call(func=ast.Name(id="criterion"), args=args, keywords=words)]):
                given = [ast.literal_eval(value) for value in (*args, *(word.value for word in words))]
                found.results.append(Result(Criterion(*given)))
            case ast.Assign(targets=[ast.Name(id="bonus")], value=ast.Constant(value=value)):
                found.bonus = bool(value)
    return found


def tests(exercise: str) -> dict[str, Callable[[], None]]:
    """Criterion → its test, of a test file executed afresh."""
    path = _path(exercise)
    spec = importlib.util.spec_from_file_location(f"tests.{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {test.criterion.name: test for test in vars(module).values() if hasattr(test, "criterion")}


def _test_line(exercise: str, error: BaseException) -> str:
    path = _path(exercise)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return f"tests/{path.name}:{frames[0].lineno}: {frames[0].line}" if frames else ""
