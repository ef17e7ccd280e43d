"""A mark of what a student added to the stub of a part, the same for all who differ in names and layout alone.

Comments, docstrings, annotations, layout and the order of definitions do not count. Names that the student chose are
numbered in the order in which they occur, and modules are called what they are.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Mapping

from autograder.student.checks.syntax import parse

MIN_STATEMENTS = 8  # in what was added to the stub; a few lines are soon the same by themselves


def fingerprint(source: str, stub: str) -> str:
    """A hash of what ``source`` adds to its ``stub``; empty where that is too little, or cannot be parsed."""
    try:
        given, theirs = parse(stub), parse(source)
        known = _bound(given)
        stubs = {_normal(one, set(), _aliases(given))[0] for one in _definitions(given)}
        added = _bound(theirs) - known
        found = [_normal(one, added, _aliases(theirs)) for one in _definitions(theirs)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    own = [one for one in found if one[0] not in stubs]
    if sum(statements for _, statements in own) < MIN_STATEMENTS:
        return ""
    return hashlib.sha256("\n".join(sorted(dump for dump, _ in own)).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _definitions(tree: ast.Module) -> list[ast.stmt]:
    """What a part defines at its top, without imports and texts."""
    texts = (ast.Import, ast.ImportFrom)
    return [one for one in tree.body if not isinstance(one, texts) and not _is_text(one)]


def _bound(tree: ast.Module) -> set[str]:
    """The names of functions, classes and constants at the top."""
    named = {one.name for one in tree.body if isinstance(one, ast.FunctionDef | ast.ClassDef)}
    assigned = {
        name.id
        for one in tree.body
        if isinstance(one, ast.Assign)
        for name in one.targets
        if isinstance(name, ast.Name)
    }
    return named | assigned


def _aliases(tree: ast.Module) -> dict[str, str]:
    """What modules are called → what they are."""
    imports = (one for one in tree.body if isinstance(one, ast.Import))
    return {alias.asname: alias.name for one in imports for alias in one.names if alias.asname}


def _normal(statement: ast.stmt, added: set[str], aliases: Mapping[str, str]) -> tuple[str, int]:
    """A dump of one definition that no choice of names or layout changes, and the number of its statements."""
    numbered = _Numbered(statement, added, aliases)
    normal = numbered.visit(statement)
    return ast.dump(normal), sum(isinstance(node, ast.stmt) for node in ast.walk(normal)) - 1


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


class _Numbered(ast.NodeTransformer):
    """Numbers the names that a student chose, and leaves out docstrings and annotations."""

    def __init__(self, statement: ast.stmt, added: set[str], aliases: Mapping[str, str]) -> None:
        self.bound, self.aliases = set(added), aliases
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self.bound.add(node.id)
            elif isinstance(node, ast.arg):
                self.bound.add(node.arg)
            elif isinstance(node, ast.FunctionDef | ast.ClassDef) and node is not statement:
                self.bound.add(node.name)
        self.numbers: dict[str, str] = {}

    def _number(self, name: str) -> str:
        if name in self.bound:
            return self.numbers.setdefault(name, f"_{len(self.numbers)}")
        return self.aliases.get(name, name)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if isinstance(body := getattr(node, "body", None), list):
            node.body = [one for one in body if not _is_text(one)] or [ast.Pass()]  # type: ignore[attr-defined]
        return super().generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self._number(node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(self._number(node.arg))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name, node.returns = self._number(node.name), None
        return self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.name = self._number(node.name)
        return self.generic_visit(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        node.name = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is None:
            return ast.Pass()
        return self.visit(ast.Assign([node.target], node.value))  # type: ignore[no-any-return]
