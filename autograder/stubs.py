"""A stub, cut out of the text of its reference.

That is done by the line ranges of the syntax tree, so that the formatting and the comments of what remains survive. The
signatures and docstrings of what is graded remain, and so does every other public definition; private definitions and
imports remain where those name them, and torch is always imported.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterable, Sequence

from autograder.loading import PROVIDED

STUB_HEADER = '# This file is yours: put your code where it raises NotImplementedError, then run "python -m checks".'


def stub(source: str, graded: Sequence[str]) -> str:
    """What a student receives of a reference module.

    Args:
        source: text of the reference.
        graded: names of its functions and classes whose bodies go; of a class, those of all methods.

    Raises:
        ValueError: a graded name is not defined at the top level of the module.
    """
    tree = ast.parse(source)
    definitions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    if missing := [name for name in graded if name not in definitions]:
        raise ValueError(f"no top-level function or class is called {', '.join(missing)}")
    text = _Text(source)
    for name in graded:
        node = definitions[name]
        if isinstance(node, ast.FunctionDef):
            text.empty(node, name)
            continue
        for method in node.body:
            if isinstance(method, ast.FunctionDef):
                text.empty(method, f"{name}.{method.name}")
        _drop_unused(node.body, text)
    _drop_unused(tree.body, text)
    return f"{STUB_HEADER}\n{text.edited()}"


class _Text:
    """The lines of a module and the edits that turn them into a stub, at most one for each node."""

    def __init__(self, source: str) -> None:
        self.lines = source.split("\n")
        self.edits: dict[ast.stmt, tuple[int, int, list[str]]] = {}

    def empty(self, node: ast.FunctionDef, name: str) -> None:
        """Let a function keep its signature and docstring, in the text and in the tree."""
        first = self._end_of_signature(node) + 1
        if ast.get_docstring(node) is not None:
            first = (node.body[0].end_lineno or first) + 1
        indent = " " * (node.col_offset + 4)
        self.edits[node] = first, self._end(node), [f'{indent}raise NotImplementedError("{name}")']
        node.body = []

    def drop(self, node: ast.stmt) -> None:
        """Remove a statement with its decorators and the comment directly above it."""
        first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))])
        while first > 1 and self._is_comment(first - 1):
            first -= 1
        self.edits[node] = first, self._end(node), []

    def replace(self, node: ast.stmt, line: str) -> None:
        self.edits[node] = node.lineno, node.end_lineno or node.lineno, [line]

    def edited(self) -> str:
        lines = self.lines[:]
        for first, last, replacement in sorted(self.edits.values(), reverse=True):
            before, after = lines[: first - 1], lines[last:]
            if not replacement:  # of the blank lines on both sides, the larger number remains
                after = after[min(_blank(reversed(before)), _blank(after)) :]
            lines = [*before, *replacement, *after]
        return "\n".join(lines).rstrip() + "\n"

    def _end_of_signature(self, node: ast.FunctionDef) -> int:
        """The line of the colon that ends a signature; what follows on it must be a comment."""
        rest = io.StringIO("\n".join(self.lines[node.lineno - 1 :]) + "\n")
        depth = 0
        for token in tokenize.generate_tokens(rest.readline):
            if token.type == tokenize.OP:
                depth += (token.string in "([{") - (token.string in ")]}")
                if token.string == ":" and depth == 0:
                    break
        line = node.lineno - 1 + token.start[0]
        if node.body[0].lineno == line:
            raise ValueError(f"line {line}: the body of {node.name} must begin on a line of its own")
        return line

    def _end(self, node: ast.stmt) -> int:
        """The last line of a statement, with comments that end its block, which the syntax tree does not know."""
        end = node.end_lineno or node.lineno
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            return end
        for number in range(end + 1, len(self.lines) + 1):
            line = self.lines[number - 1]
            if self._is_comment(number) and len(line) - len(line.lstrip()) > node.col_offset:
                end = number
            elif line.strip():
                break
        return end

    def _is_comment(self, number: int) -> bool:
        return self.lines[number - 1].lstrip().startswith("#")


def _drop_unused(body: list[ast.stmt], text: _Text) -> None:
    """Drop imports and private definitions that nothing else in ``body`` names, also not through one another.

    What is provided stays imported, and so does torch: solutions are meant to use them.
    """
    optional = [node for node in body if _is_import(node) or _is_private(node)]
    used = set().union(*(_names(node) for node in body if node not in optional))
    kept: set[ast.stmt] = set()
    while found := [node for node in optional if node not in kept and bound(node) & used]:
        kept.update(found)
        used = used.union(*map(_names, found))
    for node in optional:
        if isinstance(node, ast.Import | ast.ImportFrom):
            _trim_import(node, used, text)
        elif node not in kept:
            text.drop(node)
            body.remove(node)


def _trim_import(node: ast.Import | ast.ImportFrom, used: set[str], text: _Text) -> None:
    if isinstance(node, ast.ImportFrom) and node.module in ("__future__", PROVIDED.removesuffix(".py")):
        return
    if isinstance(node, ast.Import) and node.names[0].name == "torch":
        return
    aliases = [alias for alias in node.names if _bound_by(alias) in used]
    if not aliases:
        text.drop(node)
    elif len(aliases) < len(node.names):
        node.names = aliases
        text.replace(node, ast.unparse(node))


def _is_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom)


def _is_private(node: ast.stmt) -> bool:
    """Whether a statement defines names, and private ones only; ``__all__`` and its like are public."""
    names = bound(node)
    return bool(names) and all(name.startswith("_") and not name.endswith("__") for name in names)


def bound(node: ast.stmt) -> set[str]:
    """The names that an import, a definition or an assignment binds."""
    match node:
        case ast.Import() | ast.ImportFrom():
            return set(map(_bound_by, node.names))
        case ast.FunctionDef() | ast.ClassDef():
            return {node.name}
        case ast.Assign():
            targets = [name for target in node.targets for name in ast.walk(target) if isinstance(name, ast.Name)]
            return {name.id for name in targets if isinstance(name.ctx, ast.Store)}
        case ast.AnnAssign(target=ast.Name(id=name)):
            return {name}
    return set()


def names_in(source: str) -> set[str]:
    """What a module binds at its top."""
    return set[str]().union(*map(bound, ast.parse(source).body))


def _bound_by(alias: ast.alias) -> str:
    return alias.asname or alias.name.split(".")[0]


def _names(node: ast.stmt) -> set[str]:
    return {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}


def _blank(lines: Iterable[str]) -> int:
    """How many of the first lines are blank."""
    count = 0
    for line in lines:
        if line.strip():
            break
        count += 1
    return count
