"""What a student reads about a part that could not be imported.

The child's own message could hold what an earlier child has seen of hidden inputs. So the sentence is made from the
source, which the judge looks at itself; of what the child says it holds only the name of a built-in exception.
"""

from __future__ import annotations

import ast
import symtable
import warnings
from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePosixPath

from autograder.compare import STOPPED
from autograder.outcome import Raised, Stopped
from autograder.student.checks.syntax import parse

MAX_PARSED = (
    100_000  # characters, of all files together: a tree takes 500 times as many bytes, f-strings quadratic time
)
MAX_MESSAGE = 200  # characters of the parser's message, which may quote a name
_BLOCKS = (ast.stmt, ast.excepthandler, ast.match_case)  # what statements stand in


def import_sentence(
    module: str, files: Mapping[str, str], failure: Raised | Stopped, importable: Collection[str]
) -> str:
    """Why ``module`` could not be imported from ``files`` (relative name → source), in one sentence.

    ``importable`` are the top-level modules that are there when it is graded, beside the student's own. In this order:
    a syntax error of the module; that the child had to be ended; a syntax error of another file; an import of what is
    not there; the exception.
    """
    main = f"{module}.py"
    texts = _looked_at(files, main)
    if problem := syntax_error(texts.get(main, "")):
        why = f"SyntaxError in {problem}"
    elif isinstance(failure, Stopped):
        why = f"it {STOPPED[failure.reason]}"
    else:
        why = f"it raises {failure.name}"
        if failure.name in ("SyntaxError", "IndentationError", "TabError"):
            problems = ((name, syntax_error(text)) for name, text in texts.items())
            why = next((f"SyntaxError in {name}, {problem}" for name, problem in problems if problem), why)
        elif failure.name in ("ImportError", "ModuleNotFoundError"):
            there = {*importable, *(PurePosixPath(name).with_suffix("").parts[0] for name in files)}
            imported = (name for text in texts.values() for name in _imported(text))
            absent = next((name for name in imported if name not in there), "")
            why = f"it imports {absent}, which is not there when it is graded" if absent else why
    return f"{main} could not be imported: {why}."


def _looked_at(files: Mapping[str, str], main: str) -> dict[str, str]:
    """``main`` and as many of the other files as may be parsed."""
    found, size = dict[str, str](), 0
    for name in sorted(files, key=lambda name: (name != main, name)):
        if (size := size + len(files[name])) > MAX_PARSED:
            break
        found[name] = files[name]
    return found


def syntax_error(source: str) -> str:
    """Line and message of the first syntax error; empty if the parser finds none, or gives up."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            symtable.symtable(source, "", "exec")  # parses as a compiler does, and makes no tree of Python objects
    except SyntaxError as error:
        message = "".join(char if char.isprintable() else "?" for char in (error.msg or "invalid syntax")[:MAX_MESSAGE])
        return f"line {error.lineno or 1}: {message}"
    except (ValueError, RecursionError, MemoryError, OverflowError):
        return ""
    return ""


def _imported(source: str) -> Iterator[str]:
    """The top-level modules that a file imports when it is imported itself: not in functions, nor where an ``except``
    may replace them. Nothing where that cannot be found out.
    """
    try:
        todo: list[ast.AST] = [parse(source)]
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module.split(".")[0]
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            replaceable = node.body if isinstance(node, ast.Try) and node.handlers else []
            below = [child for child in ast.iter_child_nodes(node) if isinstance(child, _BLOCKS)]
            todo += [child for child in reversed(below) if child not in replaceable]
