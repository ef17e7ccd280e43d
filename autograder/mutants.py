"""Small changes of a reference made automatically, on its syntax tree: what hidden cases must notice.

The operators are those of the mutation-testing literature (DeMillo, Lipton and Sayward, "Hints on test data
selection", 1978; Offutt et al., "An experimental determination of sufficient mutant operators", 1996; operands left
out as in Deng, Offutt and Li, "Empirical evaluation of the statement deletion mutation operator", 2013), with slices
and arguments for array code. Docstrings, annotations, strings and what a ``raise`` says are left alone.
"""

from __future__ import annotations

import ast
import hashlib
import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from autograder.source import definition, reached


class Kind(StrEnum):
    """What sort of mistake a change is, in words that a student may read: they tell neither where nor what."""

    SIGN = "a sign is the wrong way round"
    TERM = "a term is missing"
    FACTOR = "a factor is missing"
    INVERSE = "something is multiplied that should be divided, or divided that should be multiplied"
    OPERATION = "one operation stands in the place of another"
    FUNCTION = "a related function stands in the place of the right one, such as a mean for a sum"
    ORDER = "two operands or arguments are exchanged"
    AXIS = "one axis is exchanged with another"
    INDEX = "an index or a range is off by one"
    BOUND = "a bound is left out"
    EDGE = "a comparison counts its boundary to the wrong side"
    CONDITION = "a condition is not the right one"
    CASE = "cases that differ are treated alike"
    CONSTANT = "a constant is not the right one"
    DEFAULT = "a default is not what the docstring says"
    OPTION = "an option of a call is missing or wrong"
    LAST = "a sum keeps only its last term"
    STEP = "a step is left out"
    PROMISE = "a promise of the docstring is not kept"


OPERATORS: dict[type[ast.AST], tuple[type[ast.AST], Kind]] = {
    ast.Add: (ast.Sub, Kind.SIGN),
    ast.Sub: (ast.Add, Kind.SIGN),
    ast.Mult: (ast.Div, Kind.INVERSE),
    ast.Div: (ast.Mult, Kind.INVERSE),
    ast.FloorDiv: (ast.Mult, Kind.INVERSE),
    ast.Mod: (ast.FloorDiv, Kind.OPERATION),
    ast.Pow: (ast.Mult, Kind.OPERATION),
    ast.Lt: (ast.LtE, Kind.EDGE),
    ast.LtE: (ast.Lt, Kind.EDGE),
    ast.Gt: (ast.GtE, Kind.EDGE),
    ast.GtE: (ast.Gt, Kind.EDGE),
    ast.Eq: (ast.NotEq, Kind.CONDITION),
    ast.NotEq: (ast.Eq, Kind.CONDITION),
    ast.Is: (ast.IsNot, Kind.CONDITION),
    ast.IsNot: (ast.Is, Kind.CONDITION),
    ast.In: (ast.NotIn, Kind.CONDITION),
    ast.NotIn: (ast.In, Kind.CONDITION),
    ast.And: (ast.Or, Kind.CONDITION),
    ast.Or: (ast.And, Kind.CONDITION),
    ast.BitAnd: (ast.BitOr, Kind.CONDITION),
    ast.BitOr: (ast.BitAnd, Kind.CONDITION),
}
OPERANDS = {ast.Add: Kind.TERM, ast.Sub: Kind.TERM, ast.Mod: Kind.OPERATION}  # of others a missing one is a factor
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
REORDERING = {"transpose", "permute"}  # whose arguments are axes, each in its place
ALONG = {"sum", "mean", "softmax", "flip", "cat", "stack", "concatenate", "size", "unsqueeze", "squeeze", "expand_dims"}
AXES = REORDERING | ALONG | {"swapaxes", "moveaxis"}  # methods and functions of a module that take numbers of axes
LEFT_ALONE = {"annotation", "returns", "decorator_list", "exc", "cause"}


@dataclass(frozen=True)
class Mutant:
    """A top-level definition with one change: the statement before and after.

    ``digest`` is of the code before and of all that it calls in its module, without docstrings, comments and
    formatting; ``source`` is the code after, ``kind`` the sort of mistake that it is.
    """

    definition: str
    digest: str
    change: str
    source: str
    kind: Kind


def mutants(source: str, name: str) -> list[Mutant]:
    """Every mutant of one top-level function or class of ``source``."""
    tree = code(definition(source, name))
    original, stamp = ast.unparse(tree), digest(source, name)
    found, counted = dict[str, Mutant](), Counter[str]()
    for statement in [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]:
        for before, after, kind in _changes(statement):
            text = ast.unparse(tree)
            if text == original or text in found:
                continue
            change = f"{before} → {after}"
            counted[change] += 1
            number = f" #{counted[change]}" if counted[change] > 1 else ""
            found[text] = Mutant(name, stamp, change + number, text, kind)
    return list(found.values())


def digest(source: str, name: str) -> str:
    """Of the code of a definition and of all that it calls in its module."""
    texts = [ast.unparse(code(definition(source, other))) for other in (name, *sorted(reached(source)[name]))]
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:8]


def code(source: str) -> ast.Module:
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


def _changes(statement: ast.stmt) -> Iterator[tuple[str, str, Kind]]:
    """Make each change of a statement in place and undo it: in its own expressions, and in a statement within it, by
    leaving it out or by overwriting a sum instead of adding to it.

    Leaving out what binds a name would only lead to a NameError: it is not done.
    """
    before = _first_line(statement)
    todo: list[tuple[ast.AST, Kind]] = [(statement, Kind.CONSTANT)]
    while todo:
        node, around = todo.pop()
        for field, value in ast.iter_fields(node):
            if field in LEFT_ALONE:
                continue
            block = value if isinstance(value, list) else [value]
            place = _place(node, field, around)
            for position, child in enumerate(block):
                if isinstance(child, ast.stmt):
                    for other, kind in _instead(child):
                        block[position] = other
                        after = "nothing" if isinstance(other, ast.Pass) else _first_line(other)
                        yield _first_line(child), after, kind
                    block[position] = child
                elif isinstance(child, ast.AST):
                    for variant, kind in _variants(child, place):
                        _put(node, field, value, position, variant)
                        yield before, _first_line(statement), kind
                    _put(node, field, value, position, child)
                    todo.append((child, place))


def _place(node: ast.AST, field: str, around: Kind) -> Kind:
    """The kind of a change of a number that stands in ``field`` of ``node``, which itself stands in such a place."""
    match node, field:
        case ast.arguments(), _:
            return Kind.DEFAULT
        case ast.Subscript(ast.Attribute(_, "shape")), "slice":
            return Kind.AXIS
        case ast.Subscript(), "slice":
            return Kind.INDEX
        case ast.Call(ast.Name("range")), "args":
            return Kind.INDEX
        case ast.Call(ast.Attribute(_, name)), "args" if name in AXES:
            return Kind.AXIS
        case ast.keyword("axis" | "axes" | "dim" | "dims"), _:
            return Kind.AXIS
        case ast.keyword(), _:
            return Kind.OPTION
        case ast.Call() | ast.Subscript(), "func" | "args" | "value":
            return Kind.CONSTANT
    return around


def _put(node: ast.AST, field: str, value: object, position: int, child: ast.AST) -> None:
    if isinstance(value, list):
        value[position] = child
    else:
        setattr(node, field, child)


def _binds(statement: ast.stmt) -> bool:
    names = isinstance(statement, ast.Assign) and all(isinstance(t, ast.Name | ast.Tuple) for t in statement.targets)
    return names or isinstance(statement, ast.FunctionDef | ast.Return | ast.Pass | ast.AnnAssign)


def _instead(statement: ast.stmt) -> Iterator[tuple[ast.stmt, Kind]]:
    if not _binds(statement):
        yield ast.Pass(), Kind.STEP
    if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add):
        yield ast.Assign([statement.target], statement.value, lineno=statement.lineno), Kind.LAST


def _variants(node: ast.AST, place: Kind) -> Iterator[tuple[ast.AST, Kind]]:
    if type(node) in OPERATORS:
        operator, kind = OPERATORS[type(node)]
        yield operator(), kind
    if isinstance(node, ast.BinOp):
        for operand, other in ((node.left, node.right), (node.right, node.left)):
            kind = OPERANDS.get(type(node.op), Kind.FACTOR)
            one = isinstance(other, ast.Constant) and other.value == 1
            yield operand, place if one and kind is Kind.TERM and place is Kind.INDEX else kind
    if isinstance(node, ast.BoolOp):
        for operand in node.values:
            yield operand, Kind.CONDITION
    match node:
        case ast.BinOp(left, op, right) if isinstance(op, ast.Sub | ast.Div | ast.MatMult):
            yield ast.BinOp(right, op, left), Kind.SIGN if isinstance(op, ast.Sub) else Kind.ORDER
        case ast.UnaryOp(ast.USub(), operand):
            yield operand, Kind.AXIS if place is Kind.AXIS else Kind.SIGN
        case ast.UnaryOp(ast.Not() | ast.Invert(), operand):
            yield operand, Kind.CONDITION
        case ast.Constant(bool(truth)):
            yield ast.Constant(not truth), place
        case ast.Constant(int(number) | float(number)):
            yield ast.Constant(number + 1), place
            if number > 0:
                yield ast.Constant(number - 1), place
        case ast.Name(name, ast.Load() as ctx) if name in NAMES:
            yield ast.Name(NAMES[name], ctx), Kind.FUNCTION
        case ast.Attribute(value, name, ctx) if name in NAMES:
            yield ast.Attribute(value, NAMES[name], ctx), Kind.FUNCTION
        case ast.Attribute(value, "T"):
            yield value, Kind.AXIS
        case ast.IfExp(_, body, orelse):
            yield body, Kind.CASE
            yield orelse, Kind.CASE
        case ast.Slice(lower, upper, step):
            if lower:
                one = isinstance(lower, ast.Constant) and lower.value == 1
                yield ast.Slice(None, upper, step), Kind.INDEX if one else Kind.BOUND
                yield ast.Slice(ast.BinOp(lower, ast.Add(), ast.Constant(1)), upper, step), Kind.INDEX
            if upper:
                yield ast.Slice(lower, None, step), Kind.BOUND
            if step:
                yield ast.Slice(lower, upper, None), Kind.STEP
        case ast.Subscript(value, index, ctx):
            for shifted in _shifted(index):
                yield ast.Subscript(value, shifted, ctx), Kind.INDEX
        case ast.Call(ast.Attribute(_, name) as function, [_, _, _, *_] as axes) if name in REORDERING:
            for i, j in itertools.combinations(range(len(axes)), 2):
                exchanged = [*axes]
                exchanged[i], exchanged[j] = axes[j], axes[i]
                yield ast.Call(function, exchanged, node.keywords), Kind.AXIS
        case ast.Call(ast.Attribute(_, name) | ast.Name(name), [_, _]) if name in SYMMETRIC:
            pass
        case ast.Call(function, [first, second, *rest], keywords) if not isinstance(first, ast.Starred):
            yield ast.Call(function, [second, first, *rest], keywords), Kind.ORDER
    if isinstance(node, ast.Call):
        for position in range(len(node.keywords)):
            kept = node.keywords[:position] + node.keywords[position + 1 :]
            yield ast.Call(node.func, node.args, kept), Kind.OPTION


def _shifted(index: ast.expr) -> Iterator[ast.expr]:
    """An index in which a variable is one too small."""
    if isinstance(index, ast.Name):
        yield ast.BinOp(index, ast.Sub(), ast.Constant(1))
    elif isinstance(index, ast.Tuple):
        for position, entry in enumerate(index.elts):
            for shifted in _shifted(entry):
                yield ast.Tuple([*index.elts[:position], shifted, *index.elts[position + 1 :]], index.ctx)
