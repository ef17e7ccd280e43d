# Generated from autograder/student/checks/files.py by "python -m autograder build": change it there.
"""What the student's files say about an exercise without being run: where it stands, what it uses and calls."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from .forbidden import Sources, listed
from .reading import own_files

Texts = tuple[tuple[str, str], ...]  # name of a file, and what it holds
PROVIDED = "provided.py"


def place(exercise: str) -> tuple[str, int] | None:
    """The module that defines an exercise, and the line; None where none does. The file may be broken."""
    for name, text in _texts():
        if found := re.search(rf"^(def|class) {re.escape(exercise)}\b", text, re.MULTILINE):
            return name.removesuffix(".py"), text.count("\n", 0, found.start()) + 1
    return None


def modules() -> list[str]:
    """The student's modules, in the order in which exercises are asked."""
    return [name.removesuffix(".py") for name, _ in _texts()]


def forbidden(exercise: str) -> str:
    """A name that the definition of an exercise reaches and that its docstring forbids; empty if there is none."""
    sources, bans = _sources(_texts())
    module, _ = place(exercise) or ("", 0)
    used = sources.used(module, exercise, bans.get((module, exercise), ()))
    return used[0] if used else ""


def unwritten(exercise: str) -> bool:
    """Whether an exercise still is as it was handed out: all that its functions do is to raise an error."""
    module, _ = place(exercise) or ("", 0)
    text = dict(_texts()).get(f"{module}.py", "")
    try:
        node = next((node for node in ast.parse(text).body if getattr(node, "name", "") == exercise), None)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    if isinstance(node, ast.ClassDef):
        functions = [inner for inner in node.body if isinstance(inner, ast.FunctionDef)]
    else:
        functions = [node] if isinstance(node, ast.FunctionDef) else []
    return bool(functions) and all(isinstance(_written(function)[0], ast.Raise) for function in functions)


def calls(exercise: str) -> set[str]:
    """The names of the same file that the definition of an exercise leads to, through whatever it calls there."""
    sources, _ = _sources(_texts())
    module, _ = place(exercise) or ("", 0)
    return sources.reached(module, exercise)


def _written(function: ast.FunctionDef) -> list[ast.stmt]:
    """The statements of a function below its docstring, if there are any."""
    return function.body[1:] or function.body if ast.get_docstring(function) is not None else function.body


def _texts() -> Texts:
    return tuple(
        (path.name, path.read_text(encoding="utf-8", errors="replace")) for path in own_files() if path.name != PROVIDED
    )


@lru_cache(maxsize=2)
def _sources(texts: Texts) -> tuple[Sources, dict[tuple[str, str], tuple[str, ...]]]:
    bans: dict[tuple[str, str], tuple[str, ...]] = {}
    for name, text in texts:
        try:
            found = listed(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):  # the import says so
            continue
        bans |= {(name.removesuffix(".py"), definition): names for definition, names in found.items()}
    return Sources(dict(texts)), bans
