"""Small changes of a reference made automatically, on its syntax tree: what hidden cases must notice.

The operators are those of the mutation-testing literature (DeMillo, Lipton and Sayward, "Hints on test data
selection", 1978; Offutt et al., "An experimental determination of sufficient mutant operators", 1996; operands left
out as in Deng, Offutt and Li, "Empirical evaluation of the statement deletion mutation operator", 2013), with slices
and arguments for array code. Docstrings, annotations, strings and what a ``raise`` says are left alone.
"""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from autograder.source import definition, reached

OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
NAMES = {
    "max": "min",
    "min": "max",
    "maximum": "minimum",
    "minimum": "maximum",
    "argmax": "argmin",
    "sum": "mean",
    "mean": "sum",
    "var": "std",
    "zeros": "ones",
    "ones": "zeros",
    "zeros_like": "ones_like",
    "ones_like": "zeros_like",
    "sin": "cos",
    "cos": "sin",
    "tril": "triu",
    "any": "all",
    "all": "any",
}
SYMMETRIC = {"max", "min", "maximum", "minimum", "result_type", "swapaxes", "transpose"}  # in their two arguments
LEFT_ALONE = {"annotation", "returns", "decorator_list", "exc", "cause"}


@dataclass(frozen=True)
class Mutant:
    """A top-level definition with one change: the statement before and after.

    ``digest`` is of the code before and of all that it calls in its module, without docstrings, comments and
    formatting; ``source`` is the code after.
    """

    definition: str
    digest: str
    change: str
    source: str


def mutants(source: str, name: str) -> list[Mutant]:
    """Every mutant of one top-level function or class of ``source``."""
    tree = _code(definition(source, name))
    original = ast.unparse(tree)
    code = [original, *(ast.unparse(_code(definition(source, other))) for other in sorted(reached(source)[name]))]
    digest = hashlib.sha256("\n".join(code).encode()).hexdigest()[:8]
    found, counted = dict[str, Mutant](), Counter[str]()
    for statement in [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]:
        for before, after in _changes(statement):
            text = ast.unparse(tree)
            if text == original or text in found:
                continue
            change = f"{before} → {after}"
            counted[change] += 1
            number = f" #{counted[change]}" if counted[change] > 1 else ""
            found[text] = Mutant(name, digest, change + number, text)
    return list(found.values())


def _code(source: str) -> ast.Module:
    """What runs: neither docstrings nor annotations of arguments."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return tree


def _first_line(statement: ast.stmt) -> str:
    return ast.unparse(statement).split("\n")[0].removesuffix(":")


def _changes(statement: ast.stmt) -> Iterator[tuple[str, str]]:
    """Make each change of a statement in place and undo it: in its own expressions, and by leaving out another in it.

    Leaving out what binds a name would only lead to a NameError: it is not done.
    """
    before = _first_line(statement)
    todo: list[ast.AST] = [statement]
    while todo:
        node = todo.pop()
        for field, value in ast.iter_fields(node):
            if field in LEFT_ALONE:
                continue
            block = value if isinstance(value, list) else [value]
            for position, child in enumerate(block):
                if isinstance(child, ast.stmt) and not _binds(child):
                    block[position] = ast.Pass()
                    yield _first_line(child), "nothing"
                    block[position] = child
                elif isinstance(child, ast.AST) and not isinstance(child, ast.stmt):
                    for variant in _variants(child):
                        _put(node, field, value, position, variant)
                        yield before, _first_line(statement)
                    _put(node, field, value, position, child)
                    todo.append(child)


def _put(node: ast.AST, field: str, value: object, position: int, child: ast.AST) -> None:
    if isinstance(value, list):
        value[position] = child
    else:
        setattr(node, field, child)


def _binds(statement: ast.stmt) -> bool:
    names = isinstance(statement, ast.Assign) and all(isinstance(t, ast.Name | ast.Tuple) for t in statement.targets)
    return names or isinstance(statement, ast.FunctionDef | ast.Return | ast.Pass | ast.AnnAssign)


def _variants(node: ast.AST) -> Iterator[ast.AST]:
    if type(node) in OPERATORS:
        yield OPERATORS[type(node)]()
    if isinstance(node, ast.BinOp):
        yield from (node.left, node.right)
    if isinstance(node, ast.BoolOp):
        yield from node.values
    match node:
        case ast.BinOp(left, op, right) if isinstance(op, ast.Sub | ast.Div | ast.MatMult):
            yield ast.BinOp(right, op, left)
        case ast.UnaryOp(ast.USub() | ast.Not() | ast.Invert(), operand):
            yield operand
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value) | float(value)):
            yield ast.Constant(value + 1)
            if value > 0:
                yield ast.Constant(value - 1)
        case ast.Name(name, ctx) if name in NAMES and isinstance(ctx, ast.Load):
            yield ast.Name(NAMES[name], ctx)
        case ast.Attribute(value, name, ctx) if name in NAMES:
            yield ast.Attribute(value, NAMES[name], ctx)
        case ast.IfExp(_, body, orelse):
            yield body
            yield orelse
        case ast.Slice(lower, upper, step):
            if lower:
                yield ast.Slice(None, upper, step)
                yield ast.Slice(ast.BinOp(lower, ast.Add(), ast.Constant(1)), upper, step)
            if upper:
                yield ast.Slice(lower, None, step)
            if step:
                yield ast.Slice(lower, upper, None)
        case ast.Call(ast.Attribute(_, name) | ast.Name(name), [_, _]) if name in SYMMETRIC:
            pass
        case ast.Call(function, [first, second, *rest], keywords) if not isinstance(first, ast.Starred):
            yield ast.Call(function, [second, first, *rest], keywords)
    if isinstance(node, ast.Call):
        for position in range(len(node.keywords)):
            yield ast.Call(node.func, node.args, node.keywords[:position] + node.keywords[position + 1 :])
