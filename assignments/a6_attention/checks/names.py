# Generated from autograder/student/checks/names.py by "python -m autograder build": change it there.
"""What the definitions of a Python file refer to, as full dotted names, from its source alone.

``np.fft.rfft`` under ``import numpy as np`` is ``numpy.fft.rfft``, and a function of the same file is
``<module>.<name>``. Python's own rules of scope decide which name is meant. Followed are imports, assignments of one
name to another, and the usual ways to write a name as text (``getattr(np, "convolve")``, ``import_module("scipy")``);
what a program computes is not.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain

from .syntax import TooComplex, parse

MAX_PARTS = 8  # of a dotted name; what follows is left off
MAX_MEANINGS = 50  # of one local name

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_Meaning = ast.AST | str | None  # an expression or a definition, an imported dotted name, or what nobody can say


@dataclass(frozen=True)
class Names:
    """The top-level names of one file.

    ``stands`` maps a name to the dotted names that it is only another name for, ``reaches`` to all those that its
    definition refers to; ``stars`` are the modules that the file imports everything from. ``readable`` is False where
    the source is too long, or nested too deeply, to be looked at.
    """

    stands: dict[str, tuple[str, ...]] = field(default_factory=dict)
    reaches: dict[str, tuple[str, ...]] = field(default_factory=dict)
    stars: tuple[str, ...] = ()
    readable: bool = True


@lru_cache(maxsize=32)  # a student's helper module comes with every part that was handed in
def names_of(source: str, module: str, package: str) -> Names:
    """The names of ``module``, whose relative imports start at ``package``. Source that is no Python holds none."""
    try:
        tree = parse(source)
    except (TooComplex, RecursionError, MemoryError):
        return Names(readable=False)
    except (SyntaxError, ValueError):
        return Names()
    binding = ":=" in source or re.search(r"^\s*match\b", source, re.MULTILINE) is not None
    return _File(module, package, binding).names(tree)


class _Scope:
    """The local names of a function, a class or a comprehension."""

    def __init__(self, bound: Iterable[tuple[str, _Meaning]], outer: _Scope | None, visible: bool = True) -> None:
        self.bound: dict[str, list[_Meaning]] = {}
        for name, meaning in bound:
            self.bound.setdefault(name, []).append(meaning)
        self.outer, self.visible = outer, visible  # a class's names are not those of its methods
        self.known: dict[str, tuple[str, ...]] = {}

    def enclosing(self) -> _Scope | None:
        """The scope of a function that is defined here."""
        return self if self.visible else self.outer


class _File:
    """One file while it is read. Only where expressions or patterns bind names in it are they searched for that."""

    def __init__(self, module: str, package: str, binding: bool) -> None:
        self.module, self.package, self.binding = module, package, binding

    def names(self, tree: ast.Module) -> Names:
        stars: list[str] = []
        table: dict[str, list[_Meaning]] = {}
        for name, meaning, replaces in self._bound(tree.body):
            if name == "*":
                stars.append(str(meaning))
            elif replaces and name not in _read_at_once(meaning):
                table[name] = [meaning]
            else:
                table.setdefault(name, []).append(meaning)
        found = Names(stars=tuple(stars))
        for name, meanings in table.items():
            found.stands[name] = _unique(chain.from_iterable(self._meant(m, None) for m in meanings))
            nodes = [m for m in meanings if isinstance(m, ast.AST)]
            found.reaches[name] = _unique(self._referred(nodes))
        return found

    def _bound(self, body: Sequence[ast.stmt]) -> Iterator[tuple[str, _Meaning, bool]]:
        """What the statements bind, in order: name, what it then means, and whether it surely means nothing older.

        ``*`` is bound to a module of which everything is imported. What functions bind within is theirs.
        """
        todo = [(statement, True) for statement in reversed(body)]
        while todo:
            statement, surely = todo.pop()
            match statement:
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    yield statement.name, statement, surely
                    continue
                case ast.Import():
                    for alias in statement.names:
                        first = alias.name.partition(".")[0]
                        yield alias.asname or first, alias.name if alias.asname else first, surely
                case ast.ImportFrom():
                    origin = self._origin(statement)
                    for alias in statement.names:
                        dotted = origin if alias.name == "*" else ".".join(filter(None, [origin, alias.name]))
                        yield alias.asname or alias.name, dotted, surely
                case ast.Assign() | ast.AnnAssign() | ast.AugAssign() if statement.value:
                    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                    alone = surely and not isinstance(statement, ast.AugAssign)
                    for target in targets:
                        yield from _unpacked(target, statement.value, alone)
                case ast.For() | ast.AsyncFor():
                    yield from _unpacked(statement.target, statement.iter, False)
                case ast.With() | ast.AsyncWith():
                    for item in statement.items:
                        if item.optional_vars:
                            yield from _unpacked(item.optional_vars, item.context_expr, False)
                case ast.Match():
                    todo += [(inner, False) for one in reversed(statement.cases) for inner in reversed(one.body)]
                case ast.Try() | ast.TryStar():
                    todo += [(inner, False) for one in reversed(statement.handlers) for inner in reversed(one.body)]
                    yield from ((one.name, None, False) for one in statement.handlers if one.name)
            for part in ("finalbody", "orelse", "body"):
                todo += [(inner, False) for inner in reversed(getattr(statement, part, []))]
            for node in _evaluated(statement) if self.binding else ():
                if isinstance(node, ast.NamedExpr):
                    yield from _unpacked(node.target, node.value, False)
                elif isinstance(node, ast.MatchAs | ast.MatchStar | ast.MatchMapping):
                    name = node.rest if isinstance(node, ast.MatchMapping) else node.name
                    yield from [(name, None, False)] if name else []

    def _origin(self, statement: ast.ImportFrom) -> str:
        """The full name of the module that is imported from."""
        if not statement.level:
            return statement.module or ""
        above = self.package.split(".") if self.package else []
        return ".".join([*above[: len(above) - statement.level + 1], *([statement.module] if statement.module else [])])

    def _referred(self, nodes: Iterable[ast.AST]) -> Iterator[str]:
        """The dotted names that the nodes refer to, in whatever runs when they do. Annotations do not count."""
        todo: list[tuple[ast.AST, _Scope | None]] = [(node, None) for node in nodes]
        while todo:
            node, scope = todo.pop()
            if isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
                yield from self._meant(node, scope)
            while isinstance(node, ast.Attribute):  # a chain is read once, from its end
                node = node.value
                if not isinstance(node, ast.Name | ast.Attribute):
                    todo.append((node, scope))
            if isinstance(node, ast.ClassDef):
                inner = _Scope(self._local(node.body, ()), scope and scope.enclosing(), visible=False)
                todo += [(child, inner) for child in node.body]
                todo += [(child, scope) for child in [*node.decorator_list, *node.bases, *node.keywords]]
            elif isinstance(node, _Function):
                body = [ast.Expr(node.body)] if isinstance(node, ast.Lambda) else node.body
                inner = _Scope(self._local(body, _parameters(node.args)), scope and scope.enclosing())
                todo += [(child, inner) for child in body]
                todo += [(child, scope) for child in _outside(node)]
            elif isinstance(node, _Comprehension):
                bound = chain.from_iterable(_unpacked(one.target, one.iter, False) for one in node.generators)
                inner = _Scope(((name, meaning) for name, meaning, _ in bound), scope and scope.enclosing())
                todo += [(child, inner) for child in ast.iter_child_nodes(node)]
            elif isinstance(node, ast.AnnAssign):
                todo += [(child, scope) for child in (node.target, node.value) if child]
            elif not isinstance(node, ast.Name | ast.Constant):
                todo += [(child, scope) for child in ast.iter_child_nodes(node)]

    def _local(self, body: Sequence[ast.stmt], parameters: Iterable[str]) -> Iterator[tuple[str, _Meaning]]:
        elsewhere = {name for one in body if isinstance(one, ast.Global | ast.Nonlocal) for name in one.names}
        yield from ((name, None) for name in parameters)
        yield from ((name, meaning) for name, meaning, _ in self._bound(body) if name not in elsewhere)

    def _meant(self, meaning: _Meaning, scope: _Scope | None) -> tuple[str, ...]:
        """The dotted names that an expression may be another way to write; none where it is something else."""
        if isinstance(meaning, str):
            return (meaning,)
        try:
            return _unique(self._dotted(meaning, scope))[:MAX_MEANINGS]
        except RecursionError:
            return ()

    def _dotted(self, node: ast.AST | None, scope: _Scope | None) -> Iterator[str]:
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if parts:
            for whole in self._meant(node, scope):
                yield ".".join([whole, *reversed(parts)][:MAX_PARTS])
            return
        match node:
            case ast.Name(id=name):
                yield from self._named(name, scope)
            case ast.IfExp():
                yield from (*self._meant(node.body, scope), *self._meant(node.orelse, scope))
            case ast.BoolOp(values=several) | ast.Tuple(elts=several) | ast.List(elts=several):
                yield from chain.from_iterable(self._meant(one, scope) for one in several)
            case ast.NamedExpr():
                yield from self._meant(node.value, scope)
            case ast.Call(func=ast.Name(id="getattr"), args=[owner, ast.Constant(value=str(key)), *_]):
                yield from (f"{one}.{key}" for one in self._meant(owner, scope))
            case ast.Call(func=ast.Name(id="import_module") | ast.Attribute(attr="import_module"), args=[module, *_]):
                yield from _text(module)
            case ast.Call(func=ast.Name(id="__import__"), args=[module, *_]):
                yield from (one for name in _text(module) for one in (name, name.partition(".")[0]))
            case ast.Subscript(slice=ast.Constant(value=str(key))):
                match node.value:
                    case ast.Attribute(attr="modules"):  # of sys
                        yield key
                    case ast.Attribute(value=owner, attr="__dict__") | ast.Call(func=ast.Name(id="vars"), args=[owner]):
                        yield from (f"{one}.{key}" for one in self._meant(owner, scope))
                    case ast.Call(func=ast.Name(id="globals")):
                        yield f"{self.module}.{key}"

    def _named(self, name: str, scope: _Scope | None) -> Iterator[str]:
        while scope and name not in scope.bound:
            scope = scope.outer
        if not scope:
            yield f"{self.module}.{name}"
            return
        if name not in scope.known:
            scope.known[name] = ()  # a name that is bound to itself adds nothing
            found = chain.from_iterable(self._meant(meaning, scope) for meaning in scope.bound[name])
            scope.known[name] = _unique(found)[:MAX_MEANINGS]
        yield from scope.known[name]


def _unpacked(target: ast.expr, value: ast.expr, surely: bool) -> Iterator[tuple[str, _Meaning, bool]]:
    """The names in ``target = value``, each with its own part of the value where both are written out."""
    todo: list[tuple[ast.expr, ast.expr]] = [(target, value)]
    while todo:
        target, value = todo.pop()
        if isinstance(target, ast.Tuple | ast.List):
            values = value.elts if isinstance(value, ast.Tuple | ast.List) else []
            starred = any(isinstance(one, ast.Starred) for one in [*target.elts, *values])
            paired = values if len(values) == len(target.elts) and not starred else [value] * len(target.elts)
            todo += zip(target.elts, paired, strict=True)
        elif isinstance(target, ast.Name):
            yield target.id, value, surely
        else:  # a part of an object: whoever uses the object uses this as well
            while isinstance(target, ast.Attribute | ast.Subscript | ast.Starred):
                target = target.value
            if isinstance(target, ast.Name):
                yield target.id, ast.Expr(value), False


def _evaluated(node: ast.AST) -> Iterator[ast.AST]:
    """What is evaluated when a statement is run or a function is defined: not the bodies, which are run later or are
    statements of their own, and no annotation.
    """
    todo = [node]
    while todo:
        node = todo.pop()
        yield node
        if isinstance(node, _Function):
            todo += _outside(node)
        elif isinstance(node, ast.AnnAssign):
            todo += [child for child in (node.target, node.value) if child]
        else:
            todo += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt)]


def _outside(function: _Function) -> list[ast.expr]:
    """What is evaluated when the function is defined."""
    return [*function.args.defaults, *filter(None, function.args.kw_defaults), *getattr(function, "decorator_list", [])]


def _parameters(args: ast.arguments) -> list[str]:
    named = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    return [one.arg for one in named if one]


def _read_at_once(meaning: _Meaning) -> set[str]:
    """The names that are read when a top-level name is bound, and so may mean what it was bound to before."""
    nodes = [meaning] if isinstance(meaning, ast.AST) else []
    if isinstance(meaning, ast.ClassDef):
        nodes += meaning.body
    found = chain.from_iterable(map(_evaluated, nodes))
    return {node.id for node in found if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _text(node: ast.expr) -> list[str]:
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
