"""The top-level statements of code that a student wrote, with the names that they bind, read and change.

Code that the parser rejects as a whole is read piece by piece, so that what is wrong with one definition leaves the
others alone. IPython's magics, shell lines and prompts count as blank lines; code that stands under ``%%time``, or that
a notebook exported as ``get_ipython().run_cell_magic("time", "", "…")``, counts like any other.
"""

from __future__ import annotations

import ast
import re
import symtable
import textwrap
import warnings
from collections.abc import Iterable
from dataclasses import dataclass

from autograder.student.checks.syntax import parse

MAX_PIECES = 1_500_000  # characters parsed to find the good pieces of code that is not valid as a whole
MAX_TOGETHER = 60  # pieces that one statement may take

_MAGIC = re.compile(  # a line magic, shell line or help line, with its continuation lines
    r"^([ \t]*)(?:(?:\w[\w, ]*=[ \t]*)?(?:%\w|!(?!=))(?:.*\\\n)*.*|\?.*|%?[\w.]+\?\??[ \t]*$)", re.MULTILINE
)
# A cell magic under which IPython runs the cell's code, or which writes it to a module.
_CELL_MAGIC = re.compile(r"\s*%%(?:(?:time|timeit|capture|prun)\b|(?:writefile|file)\b.*\.py[ \t]*$).*", re.MULTILINE)
_PROMPT = re.compile(r"^[ \t]*(?:>>>|\.\.\.|In \[\d*\]:)(?: |$)", re.MULTILINE)
_CONTINUED = re.compile(r"(?:elif|else|except|finally)\b|[)\]}#]")  # lines that no statement begins with
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


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
class Statement:
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


def _analyse(node: ast.stmt, source: str) -> Statement:
    scope = _Scope([node])
    changed, called, run, module = set[str](), set[str](), set[str](), ""
    for inner in [] if isinstance(node, DEFINITIONS) else ast.walk(node):
        if isinstance(inner, (ast.Attribute, ast.Subscript)) and not isinstance(inner.ctx, ast.Load):
            changed |= _root(inner)
        elif isinstance(inner, ast.Call):
            run |= _root(inner.func)
        elif isinstance(inner, ast.Expr) and isinstance(inner.value, ast.Call):
            called |= _root(inner.value.func) if isinstance(inner.value.func, ast.Attribute) else set()
    if isinstance(node, ast.ImportFrom):
        module = "." * node.level + (node.module or "")
    elif isinstance(node, ast.Import):
        module = node.names[0].name
        if "." in module and not node.names[0].asname:
            changed |= scope.bound  # `import a.b` adds to what `import a.c` bound
    elif not isinstance(node, (*DEFINITIONS, ast.Assign, ast.AnnAssign)):
        changed |= scope.bound
    if module == "__future__" or (isinstance(node, ast.AnnAssign) and node.value is None):
        scope.bound.clear()
    kind = ast.Lambda if isinstance(getattr(node, "value", None), ast.Lambda) else type(node)
    return Statement(source, kind, scope.bound, scope.now, scope.later, changed, called, run, module)


@dataclass(frozen=True)
class Gap:
    """Lines that are left out, numbered from 1, and what they are: "not valid Python (line 3)"."""

    first: int
    last: int
    problem: str

    def __str__(self) -> str:
        if self.first == self.last:
            return f"line {self.first} was left out because it is {self.problem}"
        return f"lines {self.first} to {self.last} were left out because they are {self.problem}"


def foreign_magic(code: str) -> str:
    """The cell magic that makes ``code`` something else than Python, such as ``%%bash``; empty if none does."""
    magic = re.match(r"\s*(%%\w+)", code)
    return magic[1] if magic and not _CELL_MAGIC.match(code) else ""


def statements(code: str) -> tuple[list[Statement], list[Gap]]:
    """The top-level statements of ``code``, an import of several names as several statements; and what was left out.

    Raises:
        TooComplex, ValueError, RecursionError, MemoryError: as in :func:`parse`, for the code as a whole.
    """
    code = _CELL_MAGIC.sub("", code, count=1)
    try:
        return _parsed(code), []
    except SyntaxError:
        pass
    code = textwrap.dedent(_PROMPT.sub("", code)) if _PROMPT.match(code) else textwrap.dedent(code)
    try:
        return _parsed(_without_magics(code)), []
    except SyntaxError as error:
        return _piecewise(code, error.lineno or 1)


def _without_magics(code: str) -> str:
    return _MAGIC.sub(lambda match: f"{match[1]}pass" + "\n" * match[0].count("\n"), code)


def _piecewise(code: str, wrong: int) -> tuple[list[Statement], list[Gap]]:
    """Every piece that parses, with as few as possible of those after it; ``wrong`` is the line of the error."""
    lines = code.split("\n")
    starts = [n for n, line in enumerate(lines) if line[:1].strip() and not _CONTINUED.match(line)]
    starts = [*dict.fromkeys([0, *starts]), len(lines)]
    found: list[Statement] = []
    gaps: list[Gap] = []
    unspent, first = MAX_PIECES, 0
    while first < len(starts) - 1:
        last, good = first, None
        while good is None and last < len(starts) - 1:
            last += 1
            piece = "\n".join(lines[starts[first] : starts[last]])
            unspent -= len(piece)
            try:
                good = _parsed(_without_magics(piece))
            except SyntaxError as error:
                if unspent < 0 or last > first + MAX_TOGETHER or not _incomplete(error, piece):
                    break
            except (ValueError, RecursionError, MemoryError):
                break
        if good is None:
            last = first + 1
            begin, end = starts[first] + 1, starts[last]
            if gaps and gaps[-1].last + 1 == begin:
                begin = gaps.pop().first
            gaps.append(Gap(begin, end, f"not valid Python (line {wrong if begin <= wrong <= end else begin})"))
        found += good or []
        first = last
    return found, gaps


def _incomplete(error: SyntaxError, piece: str) -> bool:
    """Whether more lines could make the piece valid."""
    return (error.lineno or 0) > piece.rstrip().count("\n") or "triple-quoted" in error.msg or "closed" in error.msg


def _parsed(code: str) -> list[Statement]:
    tree = parse(code)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        symtable.symtable(code, "code", "exec")  # finds what the parser does not, such as a misplaced nonlocal
    lines = code.encode().split(b"\n")
    found: list[Statement] = []
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                node.names = [alias]
                found.append(_analyse(node, ast.unparse(node)))
            continue
        if inner := _exported_cell(node):
            found += statements(inner)[0]
            continue
        decorators = [(decorator.lineno, 0) for decorator in getattr(node, "decorator_list", [])]
        first, column = min([*decorators, (node.lineno, node.col_offset)])
        text = lines[first - 1 : node.end_lineno]
        text[-1] = text[-1][: node.end_col_offset]
        text[0] = text[0][column:]
        found.append(_analyse(node, b"\n".join(text).decode()))
    return found


def _exported_cell(node: ast.stmt) -> str:
    """The code in ``get_ipython().run_cell_magic(magic, line, code)``; empty for any other statement."""
    match node:
        case ast.Expr(
            ast.Call(
                ast.Attribute(ast.Call(ast.Name("get_ipython")), "run_cell_magic"),
                [ast.Constant(str(magic)), ast.Constant(str(line)), ast.Constant(str(code))],
            )
        ) if _CELL_MAGIC.match(f"%%{magic} {line}"):
            return code
    return ""
