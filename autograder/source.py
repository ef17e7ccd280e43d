"""The top-level definitions of a module, as text."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import lru_cache


def reached(source: str) -> dict[str, set[str]]:
    """Top-level function or class → the others of ``source`` that it names, itself or through what it names."""
    direct = {
        node.name: {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} - {node.name}
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }

    found = {}
    for name in direct:
        seen, todo = set[str](), [name]
        while todo:
            new = (direct[todo.pop()] & direct.keys()) - seen
            seen |= new
            todo += new
        found[name] = seen - {name}
    return found


def definition(source: str, name: str) -> str:
    """The text of a top-level function or class."""
    first, last = definition_lines(source, name)
    return "".join(source.splitlines(keepends=True)[first - 1 : last])


def parameters(source: str, name: str) -> list[str]:
    """The parameters of a top-level function that can be given by position, the last with its star if it has one; of a
    class those of its ``__init__``, without ``self``. None where there is no such definition.
    """
    return _parameters(ast.parse(source).body, name)


def _parameters(body: Sequence[ast.stmt], name: str) -> list[str]:
    for node in reversed(body):
        if isinstance(node, ast.FunctionDef) and node.name == name:
            star = [f"*{node.args.vararg.arg}"] if node.args.vararg else []
            return [*(one.arg for one in (*node.args.posonlyargs, *node.args.args)), *star]
        if isinstance(node, ast.ClassDef) and node.name == name:
            return _parameters(node.body, "__init__")[1:]
    return []


def with_helpers(source: str, name: str) -> str:
    """The text of a top-level definition, after those that it names; all of ``source`` where there is none to find."""
    try:
        names = {name} | reached(source)[name]
        lines = sorted(definition_lines(source, one) for one in names)
    except (SyntaxError, ValueError, LookupError, RecursionError, MemoryError):
        return source
    text = source.splitlines(keepends=True)
    return "\n\n".join("".join(text[first - 1 : last]) for first, last in lines)


def replace_definition(source: str, name: str, text: str) -> str:
    """``source`` with the top-level definition of ``name`` replaced by ``text``."""
    first, last = definition_lines(source, name)
    lines = source.splitlines(keepends=True)
    return "".join([*lines[: first - 1], text.strip("\n") + "\n", *lines[last:]])


def definition_lines(source: str, name: str) -> tuple[int, int]:
    """First and last line (1-based) of a top-level function or class, decorators included."""
    if name not in (lines := _lines(source)):
        raise LookupError(f"There is no top-level definition of {name}.")
    return lines[name]


@lru_cache(maxsize=64)  # a bank's patches look for their place in one reference a hundred times
def _lines(source: str) -> dict[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            found[node.name] = first, node.end_lineno or first  # of two of a name Python calls the last
    return found
