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
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from autograder.results import Attention
from autograder.student.checks.syntax import TooComplex
from autograder.submission.disk import Refused
from autograder.submission.encoding import unicode_text
from autograder.submission.statements import DEFINITIONS, Statement, foreign_magic, statements

MAX_CELL = 100_000  # characters of one code cell
MAX_VALUES = 3_000_000  # values in the JSON of a notebook, which bounds the memory that it takes
MAX_STEPS = 1_000_000  # dependencies followed for one module

_TOP_LEVEL = re.compile(
    r"^(?:(?:(?:async[ \t]+)?def|class)[ \t]+(\w+)|(\w+)[ \t]*(?::[^=\n]*)?=(?!=))", re.MULTILINE | re.ASCII
)


def top_level_names(source: str) -> set[str]:
    """The names that a module seems to define: by line starts, since it need not be valid Python."""
    return {name for names in _TOP_LEVEL.findall(source) for name in names if name}


def code_cells(name: str, data: bytes, graded: Collection[str], notes: list[str | Attention]) -> list[str]:
    """The sources of a notebook's code cells; and of the raw cells that define a graded name which no code cell
    defines.

    Raises:
        Refused: the file is not a notebook of format 3 or 4, or too large.
    """
    if sum(map(data.count, (b"[", b"{", b",", b":"))) > MAX_VALUES:
        raise Refused(f"{name} was ignored because its outputs are too large: clear them and save it.")
    try:
        book = json.loads(unicode_text(data)[0])
        sheets = [book] if "cells" in book else book["worksheets"]  # of format 3
        cells = [(cell["cell_type"], cell) for sheet in sheets for cell in sheet["cells"]]
        kinds = [(kind, _source(cell)) for kind, cell in cells if kind in ("code", "raw")]
        "".join(source for _, source in kinds).encode()
    except (ValueError, TypeError, KeyError, RecursionError):
        raise Refused(f"{name} was ignored because it is not a Jupyter notebook.") from None
    defined = {found for kind, source in kinds if kind == "code" for found in top_level_names(source)}
    sources = []
    for kind, source in kinds:
        missing = sorted(top_level_names(source) & set(graded) - defined)
        if kind == "raw" and missing:
            said = f"{name}: a raw cell was read as code, because {', '.join(missing)} stands nowhere else."
            notes.append(Attention("repaired", said))
        if kind == "code" or missing:
            sources.append(source.replace("\r\n", "\n").replace("\r", "\n"))
    return sources


def _source(cell: Mapping[str, object]) -> str:
    source = cell["input"] if "input" in cell else cell["source"]
    return source if isinstance(source, str) else "".join(source)  # type: ignore[arg-type]


class Notebook:
    """The statements of a notebook's code cells, or of one module; ``notes`` says what was left out.

    ``graded`` are the graded names of all parts, ``own`` the modules handed in beside it that are no parts.
    """

    def __init__(self, name: str, cells: Iterable[str], graded: Collection[str], own: Collection[str]) -> None:
        self.notes: list[str | Attention] = []
        self._own = own
        self._statements: list[Statement] = []
        for number, cell in enumerate(cells, 1):
            self.notes += [
                Attention("left out", f"{name}: {problem}.") for problem in self._add(f"code cell {number}", cell)
            ]
        self._forget_reuse(set(graded))
        variables = {name for s in self._statements if s.kind in (ast.Assign, ast.AnnAssign) for name in s.bound}
        for s in self._statements:
            s.changed |= s.called & variables
            s.now |= s.changed

    def _add(self, cell: str, code: str) -> list[str]:
        """Adds the statements of a cell, and says which it cannot add."""
        out = f"{cell} was left out because it"
        if len(code) > MAX_CELL:
            return [f"{out} is longer than {MAX_CELL} characters"]
        if "\0" in code:
            return [f"{out} contains null bytes"]
        if magic := foreign_magic(code):
            return [f"{out} starts with {magic}"]
        try:
            found, gaps = statements(code)
        except TooComplex as problem:
            return [f"{out} holds {problem}"]
        except (ValueError, RecursionError, MemoryError):
            return [f"{out} is nested too deeply"]
        self._statements += found
        if not found and len(gaps) == 1:
            return [f"{out} is {gaps[0].problem}"]
        return [f"{cell}: {gap}" for gap in gaps]

    def _forget_reuse(self, graded: set[str]) -> None:
        """Graded names that have a definition lose the bindings that only reuse the name, such as ``f = f(x)``."""
        functions = {name for s in self._statements if s.kind in DEFINITIONS for name in s.bound}
        reused: set[str] = set()
        for s in self._statements:
            for name in s.bound & functions & graded:
                result = name in reused and name in s.now
                function = s.kind is ast.Assign and (s.now - s.run) & functions
                if s.kind in (*DEFINITIONS, ast.If, ast.Try) or (function and not result):
                    reused.discard(name)
                else:
                    reused.add(name)
                    s.bound.discard(name)
                    s.changed.discard(name)

    def defined(self, names: set[str]) -> set[str]:
        """Those of ``names`` that the notebook defines, or imports from a module of the student's own."""
        mine = [s for s in self._statements if s.module.partition(".")[0] in ("", *self._own)]
        return names & {name for s in mine for name in s.bound}

    def names(self) -> set[str]:
        """Everything that is bound at the top level."""
        return {name for s in self._statements for name in s.bound - {"*"}}

    def module(
        self, part: str, names: Iterable[str], there: Collection[str] | None = None, *, package: bool = False
    ) -> str:
        """The source of a module with those of ``names`` that the notebook defines, and all that they need.

        Without imports of what is not ``there``, if that is given: top-level modules, the student's own among them.
        Unless it stands in a ``package``, what is imported relative to one is looked for beside the module.

        Raises:
            Refused: the statements depend on each other in too many ways.
        """
        statements = [
            s
            for s in self._statements
            if not (s.kind is ast.ImportFrom and s.module.lstrip(".") == part)
            and (there is None or s.module.partition(".")[0] in ("", *there))
        ]
        bindings: dict[str, list[int]] = defaultdict(list)
        for index, s in enumerate(statements):
            for name in s.bound | s.changed:
                bindings[name].append(index)
        needed = [statements[index] for index in _closure(statements, bindings, self.defined(set(names)))]
        unknown = {n for s in needed for n in s.now | s.later if n not in bindings and not hasattr(builtins, n)}
        first = [s.source for s in statements if s.module == "__future__"]
        first += [s.source for s in statements if "*" in s.bound and unknown]
        sources = [*dict.fromkeys(first), *(s.source for s in needed)]
        return "\n\n".join(sources if package else map(_beside, sources)) + "\n"


def _beside(source: str) -> str:
    """``from .a import b`` as ``from a import b``, and ``from . import a`` as ``import a``."""
    return re.sub(r"\Afrom \.(?: (?=import )|(?=\w))", lambda match: "" if match[0].endswith(" ") else "from ", source)


def _closure(statements: Sequence[Statement], bindings: Mapping[str, Sequence[int]], names: set[str]) -> list[int]:
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
            if s.kind not in DEFINITIONS:  # it may call the lambda or function that it contains
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
