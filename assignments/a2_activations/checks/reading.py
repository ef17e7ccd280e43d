# Generated from autograder/student/checks/reading.py by "python -m autograder build": change it there.
"""The student's files: read afresh for each test, and what went wrong in them, in words."""

from __future__ import annotations

import ast
import sys
import traceback
from functools import lru_cache
from pathlib import Path
from types import CodeType, ModuleType

from .calls import Asked
from .comparing import Failed, name_and_message
from .limits import TimeUp

HERE = Path(__file__).resolve().parents[1]
OURS = ("conftest.py", "labkit.py")  # lines of these are not shown as the student's
NOT_STARTED = "not started"
EXECUTED: dict[str, ModuleType] = {}  # by ``module``, the last one of each name
ENDLESS: dict[str, bytes] = {}  # what a module held when it did not come to its end: no other test waits for that


class NotImported(Failed):
    """A module of the student's is missing or cannot be imported."""


def student(name: str) -> ModuleType:
    """The student's module ``name``, executed afresh, as tests call it: see :class:`calls.Asked`.

    Raises:
        NotImported: as in :func:`module`.
    """
    return Asked(module(name))


def module(name: str) -> ModuleType:
    """The student's module ``name``, executed afresh from the file as it is now.

    It stays in ``sys.modules``, where classes that it defines later look it up. But what a notebook has imported under
    that name stays as it is.

    Raises:
        NotImported: the file is missing or does not execute; the message names file and line.
    """
    path = HERE / f"{name}.py"
    if not path.is_file():
        raise NotImported(f"There is no {path.name} in {HERE}.")
    content, made = path.read_bytes(), ModuleType(name)
    made.__file__ = str(path)
    imported = sys.modules.get(name)
    sys.modules[name] = made
    executed = False
    try:
        _check_imports(path)
        if ENDLESS.get(name) == content:
            raise NotImported(f"{path.name} does not come to its end: is there a loop outside of every function?")
        exec(_compiled(str(path), content), vars(made))
        executed = True
    except NotImported:
        raise
    except TimeUp:
        ENDLESS[name] = content
        raise
    except SyntaxError as error:
        place = Path(error.filename or path).name + (f", line {error.lineno}" if error.lineno else "")
        raise NotImported(f"{place}: {type(error).__name__}: {error.msg}") from error
    except (Exception, SystemExit) as error:
        frames = own_frames(error)
        place = f"{Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else path.name
        raise NotImported(f"{place}: {name_and_message(error)}") from error
    finally:
        if imported is not None and imported is not EXECUTED.get(name):
            sys.modules[name] = imported
        elif not executed:
            del sys.modules[name]
    EXECUTED[name] = made
    return made


@lru_cache(maxsize=8)
def _compiled(path: str, content: bytes) -> CodeType:
    return compile(content, path, "exec", dont_inherit=True)


@lru_cache(maxsize=8)
def _imported(path: str, content: bytes) -> list[tuple[str, int]]:
    """The packages that a module imports at its top level, with their lines."""
    found = []
    for node in ast.parse(content, path).body:
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or ""]
        found += [(name.split(".")[0], node.lineno) for name in names]
    return found


def _check_imports(path: Path) -> None:
    """Say now what would cost the whole file later: a package that is not there when it is graded."""
    there = {"numpy", "jaxtyping", *(["torch"] if path.stem.endswith("_torch") else [])}
    own = {file.stem for file in HERE.glob("*.py")} | {folder.name for folder in HERE.iterdir() if folder.is_dir()}
    for name, line in _imported(str(path), path.read_bytes()):
        if name not in there | own | sys.stdlib_module_names:
            raise NotImported(
                f"{path.name}, line {line}: {name} is not there when this file is graded; "
                f"use {' and '.join(sorted(there))} and the standard library."
            )


def explain(error: BaseException, exercise: str) -> tuple[str, str]:
    """What went wrong in words, and the line of the student's code where it did ("" where none was running)."""
    if isinstance(error, NotImported):
        return str(error), ""
    frames = own_frames(error.__cause__ if isinstance(error, Failed) and error.__cause__ else error)
    sentence = str(error) if isinstance(error, Failed) else name_and_message(error)
    if isinstance(error, NotImplementedError):
        unwritten = str(error)
        if unwritten.split(".")[0] == exercise:
            return NOT_STARTED, ""
        if unwritten.isidentifier() and len(frames) > 1:
            sentence = f"It needs {unwritten}, which is not started."
            frames.pop()
    if isinstance(error, AttributeError) and isinstance(error.obj, ModuleType) and not frames:
        sentence = f"{error.obj.__name__}.py defines no {error.name}."
    return sentence, f"{Path(frames[-1].filename).name}:{frames[-1].lineno}: {frames[-1].line}" if frames else ""


def own_frames(error: BaseException) -> list[traceback.FrameSummary]:
    """The frames of an error's traceback that lie in the student's own files, the innermost last."""
    theirs = set(own_files())
    return [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).resolve() in theirs]


def own_files() -> list[Path]:
    """The modules in the student's folder that are not ours, in the order of their names."""
    return sorted(path for path in HERE.glob("*.py") if path.name not in OURS)
