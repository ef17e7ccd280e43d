"""From a notebook to modules: each graded name with what it needs, found on the syntax tree without running a cell.

The result is what running the notebook once from top to bottom would leave, reduced to the statements that a graded
name depends on:

* Code that runs on import (decorators, defaults, annotations, base classes, right-hand sides) needs the last binding
  above it, the body of a function the last one above whatever uses the function. Statements keep their order; only
  where cells were run out of order does one that needs a name from further down follow it.
* Blocks (``if``, ``try``, ``for``, ``with``), augmented assignments, assignments to items and attributes, and method
  calls on a variable change a name rather than replace it: they are kept whole, and what they change is kept too.
  Functions that change their arguments go unseen.
* A graded name stays what its last ``def`` or ``class`` made it: imports, loops and results that reuse the name further
  down are experiments. Only a function may replace it, as in ``f = np.vectorize(f)`` or ``f = other``.
* ``from x import *`` is kept, above the rest, only if a name remains that nothing else explains.
* ``from <part> import …`` is dropped from the part itself, which would import itself.
"""

from __future__ import annotations

import ast
import builtins
import json
import re
import symtable
import warnings
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from autograder.submission.disk import Refused
from autograder.syntax import TooComplex, parse

MAX_CELL = 100_000  # characters of one code cell
MAX_VALUES = 3_000_000  # values in the JSON of a notebook, which bounds the memory that it takes
MAX_STEPS = 1_000_000  # dependencies followed for one module

_MAGIC = re.compile(  # a line magic, shell line or help line, with its continuation lines
    r"^([ \t]*)(?:(?:\w[\w, ]*=[ \t]*)?(?:%\w|!(?!=))(?:.*\\\n)*.*|\?.*|%?[\w.]+\?\??[ \t]*$)", re.MULTILINE
)
_TOP_LEVEL = re.compile(
    r"^(?:(?:(?:async[ \t]+)?def|class)[ \t]+(\w+)|(\w+)[ \t]*(?::[^=\n]*)?=(?!=))", re.MULTILINE | re.ASCII
)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def top_level_names(source: str) -> set[str]:
    """The names that a module seems to define: by line starts, since it need not be valid Python."""
    return {name for names in _TOP_LEVEL.findall(source) for name in names if name}


def code_cells(name: str, data: bytes) -> list[str]:
    """The sources of a notebook's code cells.

    Raises:
        Refused: the file is not a notebook of format 4, or too large.
    """
    if sum(map(data.count, (b"[", b"{", b",", b":"))) > MAX_VALUES:
        raise Refused(f"{name} was ignored because its outputs are too large: clear them and save it.")
    try:
        cells = [cell["source"] for cell in json.loads(data)["cells"] if cell["cell_type"] == "code"]
        sources = [source if isinstance(source, str) else "".join(source) for source in cells]
        "".join(sources).encode()
    except (ValueError, TypeError, KeyError, RecursionError):
        raise Refused(f"{name} was ignored because it is not a Jupyter notebook (format 4).") from None
    return [source.replace("\r\n", "\n").replace("\r", "\n") for source in sources]


class _Scope(ast.NodeVisitor):
    """What code binds, what it reads while it runs (``now``), and what its functions read when called (``later``)."""

    def __init__(self, nodes: Iterable[ast.AST | None], bound: Iterable[str] = ()) -> None:
        self.bound, self.now, self.later, self.outer = set(bound), set[str](), set[str](), set[str]()
        self._visit_all(nodes)
        self.bound -= self.outer

    def _visit_all(self, nodes: Iterable[ast.AST | None]) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Del):
            (self.now if isinstance(node.ctx, ast.Load) else self.bound).add(node.id)

    def visit_Global(self, node: ast.Global | ast.Nonlocal) -> None:
        self.outer.update(node.names)
        self.now.update(node.names)

    def visit_alias(self, node: ast.alias) -> None:
        self.bound.add(node.asname or node.name.partition(".")[0])

    def generic_visit(self, node: ast.AST) -> None:
        for field in ("name", "rest"):  # of `except … as name` and of the patterns of `match`
            if isinstance(name := getattr(node, field, None), str):
                self.bound.add(name)
        super().generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.bound.add(node.name)
        self._visit_all([*node.decorator_list, node.returns])
        self._function(node.args, node.body)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._function(node.args, [node.body])

    def _function(self, args: ast.arguments, body: Iterable[ast.AST]) -> None:
        own = [*args.posonlyargs, *args.args, *args.kwonlyargs, *filter(None, (args.vararg, args.kwarg))]
        self._visit_all([*args.defaults, *args.kw_defaults, *(arg.annotation for arg in own)])
        inner = _Scope(body, bound=[arg.arg for arg in own])
        self.later |= (inner.now | inner.later) - inner.bound

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.bound.add(node.name)
        self._visit_all([*node.decorator_list, *node.bases, *node.keywords])
        inner = _Scope(node.body)
        self.now |= inner.now - inner.bound
        self.later |= inner.later  # methods do not see the names of the class body

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> None:
        first, *others = node.generators
        self.visit(first.iter)
        results = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        inner = _Scope([first.target, *first.ifs, *others, *results])
        self.now |= inner.now - inner.bound
        self.later |= inner.later - inner.bound

    visit_Nonlocal = visit_Global
    visit_AsyncFunctionDef = visit_FunctionDef
    visit_SetComp = visit_GeneratorExp = visit_DictComp = visit_ListComp


@dataclass
class _Statement:
    """A top-level statement, and the names that it binds, reads (see :class:`_Scope`) and changes."""

    source: str
    kind: type[ast.AST]  # of an assignment of a lambda, ast.Lambda
    bound: set[str]
    now: set[str]
    later: set[str]
    changed: set[str]  # names that keep what they were bound to before
    called: set[str]  # names with a method that is called for its effect
    run: set[str]  # names that it reads in order to call them
    module: str  # that an import reads


def _root(node: ast.AST) -> set[str]:
    """``{"TABLE"}`` for ``TABLE[0].x``; empty where no name stands at the root."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()


def _analyse(node: ast.stmt, source: str) -> _Statement:
    scope = _Scope([node])
    changed, called, run, module = set[str](), set[str](), set[str](), ""
    for inner in [] if isinstance(node, _DEFINITIONS) else ast.walk(node):
        if isinstance(inner, (ast.Attribute, ast.Subscript)) and not isinstance(inner.ctx, ast.Load):
            changed |= _root(inner)
        elif isinstance(inner, ast.Call):
            run |= _root(inner.func)
        elif isinstance(inner, ast.Expr) and isinstance(inner.value, ast.Call):
            called |= _root(inner.value.func) if isinstance(inner.value.func, ast.Attribute) else set()
    if isinstance(node, ast.ImportFrom):
        module = node.module or ""
    elif isinstance(node, ast.Import):
        module = node.names[0].name
        if "." in module and not node.names[0].asname:
            changed |= scope.bound  # `import a.b` adds to what `import a.c` bound
    elif not isinstance(node, (*_DEFINITIONS, ast.Assign, ast.AnnAssign)):
        changed |= scope.bound
    if module == "__future__" or (isinstance(node, ast.AnnAssign) and node.value is None):
        scope.bound.clear()
    kind = ast.Lambda if isinstance(getattr(node, "value", None), ast.Lambda) else type(node)
    return _Statement(source, kind, scope.bound, scope.now, scope.later, changed, called, run, module)


def _statements(cell: str) -> list[_Statement]:
    """The top-level statements of one cell; an import of several names becomes several statements."""
    try:
        tree = parse(cell)
    except SyntaxError:
        cell = _MAGIC.sub(lambda match: f"{match[1]}pass" + "\n" * match[0].count("\n"), cell)
        tree = parse(cell)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        symtable.symtable(cell, "cell", "exec")  # finds what the parser does not, such as a misplaced nonlocal
    lines = cell.encode().split(b"\n")
    statements = []
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                node.names = [alias]
                statements.append(_analyse(node, ast.unparse(node)))
            continue
        decorators = [(decorator.lineno, 0) for decorator in getattr(node, "decorator_list", [])]
        first, column = min([*decorators, (node.lineno, node.col_offset)])
        text = lines[first - 1 : node.end_lineno]
        text[-1] = text[-1][: node.end_col_offset]
        text[0] = text[0][column:]
        statements.append(_analyse(node, b"\n".join(text).decode()))
    return statements


class Notebook:
    """The statements of a notebook's code cells; ``notes`` says which cells were left out.

    ``graded`` are the graded names of all parts, ``own`` the modules handed in beside the notebook that are no parts.
    """

    def __init__(self, name: str, cells: Iterable[str], graded: set[str], own: Collection[str]) -> None:
        self.notes: list[str] = []
        self._own = own
        self._statements: list[_Statement] = []
        for number, cell in enumerate(cells, 1):
            if problem := self._add(cell):
                self.notes.append(f"{name}: code cell {number} was left out because it {problem}.")
        self._forget_reuse(graded)
        variables = {name for s in self._statements if s.kind in (ast.Assign, ast.AnnAssign) for name in s.bound}
        for s in self._statements:
            s.changed |= s.called & variables
            s.now |= s.changed

    def _add(self, cell: str) -> str:
        """Adds the statements of ``cell``, or says why it cannot."""
        if magic := re.match(r"\s*(%%\w+)", cell):
            return f"starts with {magic[1]}"
        if len(cell) > MAX_CELL:
            return f"is longer than {MAX_CELL} characters"
        if "\0" in cell:
            return "contains null bytes"
        try:
            self._statements += _statements(cell)
        except SyntaxError as error:
            return f"is not valid Python (line {error.lineno})"
        except TooComplex as problem:
            return f"holds {problem}"
        except (ValueError, RecursionError, MemoryError):
            return "is nested too deeply"
        return ""

    def _forget_reuse(self, graded: set[str]) -> None:
        """Graded names that have a definition lose the bindings that only reuse the name, such as ``f = f(x)``."""
        functions = {name for s in self._statements if s.kind in _DEFINITIONS for name in s.bound}
        reused: set[str] = set()
        for s in self._statements:
            for name in s.bound & functions & graded:
                result = name in reused and name in s.now
                function = s.kind is ast.Assign and (s.now - s.run) & functions
                if s.kind in (*_DEFINITIONS, ast.If, ast.Try) or (function and not result):
                    reused.discard(name)
                else:
                    reused.add(name)
                    s.bound.discard(name)
                    s.changed.discard(name)

    def defined(self, names: set[str]) -> set[str]:
        """Those of ``names`` that the notebook defines, or imports from a module of the student's own."""
        mine = [s for s in self._statements if not s.module or s.module.partition(".")[0] in self._own]
        return names & {name for s in mine for name in s.bound}

    def module(self, part: str, names: Iterable[str]) -> str:
        """The source of a module with those of ``names`` that the notebook defines, and all that they need.

        Raises:
            Refused: the statements depend on each other in too many ways.
        """
        statements = [s for s in self._statements if not (s.kind is ast.ImportFrom and s.module == part)]
        bindings: dict[str, list[int]] = defaultdict(list)
        for index, s in enumerate(statements):
            for name in s.bound | s.changed:
                bindings[name].append(index)
        needed = [statements[index] for index in _closure(statements, bindings, self.defined(set(names)))]
        unknown = {n for s in needed for n in s.now | s.later if n not in bindings and not hasattr(builtins, n)}
        first = [s.source for s in statements if s.module == "__future__"]
        first += [s.source for s in statements if "*" in s.bound and unknown]
        return "\n\n".join([*dict.fromkeys(first), *(s.source for s in needed)]) + "\n"


def _closure(statements: Sequence[_Statement], bindings: Mapping[str, Sequence[int]], names: set[str]) -> list[int]:
    """The indices of the statements that ``names`` need, in an order in which they can run.

    A pair (index, user) says that the statement at ``index``, and what its functions read, must be there when the one
    at ``user`` runs; ``end`` is the user of what the module offers in the end. A statement that reads a function
    without calling it may keep it, as ``g = wrap(f)`` does, so that its user is also a user of ``f``.
    """
    end = len(statements)
    functions: set[str] = set()  # names of what may read other names when it is used
    for s in statements:
        if s.later or s.now & functions:
            functions |= s.bound | s.changed

    def binding(name: str, user: int, below: bool = False) -> list[int]:
        """The last binding above ``user``; if there is none and ``below`` is allowed, the first one."""
        indices = bindings.get(name, [])
        position = bisect_left(indices, user)
        if position:
            return [indices[position - 1]]
        return list(indices[:1]) if below and not hasattr(builtins, name) else []

    needs: dict[int, set[int]] = defaultdict(set)
    followed: set[tuple[int, int]] = set()
    pairs = [(index, end) for name in names for index in binding(name, end)]
    steps = 0
    while pairs:
        index, user = pairs.pop()
        needs[user].add(index)
        s = statements[index]
        key = (index, user if s.later or s.now & functions else end)
        if key in followed:
            continue
        followed.add(key)
        steps += 1 + len(s.now) + len(s.later)
        if steps > MAX_STEPS:
            raise Refused("The cells of the notebook depend on each other in too many ways.")
        for name in s.now:
            users = {index, user} if name in functions and name not in s.run else {index}
            pairs += [(other, one) for other in binding(name, index, below=True) for one in users]
        for name in s.later:
            pairs += [(other, user) for other in binding(name, user, below=index > user)]
            if s.kind not in _DEFINITIONS:  # it may call the lambda or function that it contains
                pairs += [(other, index) for other in binding(name, index)]

    order: list[int] = []
    entered: set[int] = set()
    stack = [(index, False) for index in sorted({index for index, _ in followed}, reverse=True)]
    while stack:
        index, complete = stack.pop()
        if complete:
            order.append(index)
        elif index not in entered:
            entered.add(index)
            stack += [(index, True), *((other, False) for other in sorted(needs[index], reverse=True))]
    return order
