"""Puts text into files that people have written, at the place where it belongs, and leaves all else as it is."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable

from autograder.course import CourseError
from autograder.restated import LINE
from autograder.source import definition_lines
from autograder.stubs import bound, names_in


def after_definition(source: str, name: str, text: str) -> str:
    """``text`` after the top-level definition of ``name``; at the end, if that is empty."""
    lines = source.splitlines(keepends=True)
    last = definition_lines(source, name)[1] if name else len(lines)
    return "".join([*lines[:last], "\n\n", text, *lines[last:]])


def before_variable(source: str, variable: str, text: str) -> str:
    """``text`` before the top-level assignment to ``variable``."""
    first = _value(source, variable)[0]
    lines = source.splitlines(keepends=True)
    return "".join([*lines[: first - 1], text, "\n", *lines[first - 1 :]])


def into_variable(source: str, variable: str, entry: str, after: Callable[[int, ast.expr], bool]) -> str:
    """``entry``, whole lines, in the tuple or dictionary that is assigned to ``variable``.

    It goes below the last item of which ``after``, asked with its number and its value (of a dictionary its key), is
    true, and above the first where there is none.
    """
    _, value = _value(source, variable)
    match value:
        case ast.Tuple(elts=items) | ast.List(elts=items):
            keys: list[ast.expr] = list(items)
        case ast.Dict(keys=found, values=items):
            keys = [key or ast.Constant(None) for key in found]
        case _:
            raise CourseError(f"{variable} is neither a tuple nor a dictionary.")
    lines = source.splitlines(keepends=True)
    chosen = [item.end_lineno for number, (key, item) in enumerate(zip(keys, items, strict=True)) if after(number, key)]
    end = value.end_lineno or 0
    if not items:
        closing = lines[end - 1][: (value.end_col_offset or 0) - 1].rstrip()
        lines[end - 1] = f"{closing}\n{entry}{lines[end - 1][len(closing) :].lstrip()}"
    elif value.lineno == end:
        raise CourseError(f"{variable} stands on one line: give each item a line of its own.")
    else:
        lines.insert((chosen[-1] if chosen else None) or value.lineno, entry)
    return "".join(lines)


def importing(source: str, *statements: str) -> str:
    """``source`` with those of ``statements``, imports of one name each, that bind what it does not bind yet, in the
    order that the linter wants.
    """
    for statement in statements:
        (wanted,) = ast.parse(statement).body
        if not names_in(source) >= bound(wanted):
            source = _imported(source, wanted)
    return source


def _imported(source: str, wanted: ast.stmt) -> str:
    lines = source.splitlines(keepends=True)
    there = [node for node in ast.parse(source).body if isinstance(node, ast.Import | ast.ImportFrom)]
    for node in there:
        if isinstance(node, ast.ImportFrom) and isinstance(wanted, ast.ImportFrom) and node.module == wanted.module:
            node.names = sorted([*node.names, *wanted.names], key=lambda alias: _by_kind(alias.name))
            lines[node.lineno - 1 : node.end_lineno] = [_formatted(node)]
            return "".join(lines)
    text, section = ast.unparse(wanted) + "\n", _order(wanted)[0]
    above = [node for node in there if _order(node) < _order(wanted)]
    below = [node for node in there if _order(node) > _order(wanted)]
    if below and _order(below[0])[0] == section:
        lines.insert(below[0].lineno - 1, text)
    elif above:
        gap = "" if _order(above[-1])[0] == section else "\n"
        lines.insert(above[-1].end_lineno or 0, gap + text)
    else:
        raise CourseError(f"there is no import beside which {ast.unparse(wanted)} could stand")
    return "".join(lines)


def _order(node: ast.stmt) -> tuple[int, bool, str]:
    """Where an import stands: its section, then whether it is of names, then its module."""
    module = node.names[0].name if isinstance(node, ast.Import) else getattr(node, "module", "") or ""
    first = module.split(".")[0]
    section = (
        0 if first == "__future__" else 1 if first in sys.stdlib_module_names else 3 if first == "autograder" else 2
    )
    return section, isinstance(node, ast.ImportFrom), module


def _by_kind(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions."""
    return 0 if name.isupper() else 1 if name[0].isupper() else 2, name


def _formatted(node: ast.ImportFrom) -> str:
    text = ast.unparse(node)
    if len(text) <= LINE:
        return text + "\n"
    names = "".join(f"    {ast.unparse(alias)},\n" for alias in node.names)
    return f"from {'.' * node.level}{node.module or ''} import (\n{names})\n"


def after_line(text: str, pattern: str, line: str, otherwise: str) -> str:
    """``line`` below the last one that matches ``pattern``; where none does, below the last that ``otherwise`` matches.

    Raises:
        CourseError: neither matches any.
    """
    for wanted in (pattern, otherwise):
        if found := list(re.finditer(rf"^(?:{wanted}).*\n?", text, re.MULTILINE)):
            end = found[-1].end()
            gap = "" if text[:end].endswith("\n") else "\n"
            return f"{text[:end]}{gap}{line}\n{text[end:]}"
    raise CourseError(f"no line there begins with {otherwise}")


def _value(source: str, variable: str) -> tuple[int, ast.expr]:
    """The first line of the assignment to a top-level variable, and its value."""
    for node in ast.parse(source).body:
        match node:
            case ast.Assign(targets=[ast.Name(name)], value=value) if name == variable:
                return node.lineno, value
            case ast.AnnAssign(target=ast.Name(name), value=ast.expr() as value) if name == variable:
                return node.lineno, value
    raise CourseError(f"nothing there is called {variable}")
