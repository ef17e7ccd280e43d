"""Which of several files a part is graded from, as somebody who looked at them all would choose.

What was changed beats what was handed out, newer beats older, and a module named after the part beats everything else
that holds no more of it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from autograder.results import Attention
from autograder.student.checks.syntax import parse
from autograder.submission.notebook import top_level_names

AS_OLD = 60.0  # seconds between files that were unpacked or copied together

Graded = Mapping[str, Sequence[str]]

_RENAMED = re.compile(r"(?:copy of )?(.+?)(?:(?: -)? copy)?(?:[ _]?\((\d+)\)|[-_ ](\d+))?")


@dataclass(frozen=True)
class Candidate:
    """A file that may supply a part: the part whose name it has, if any, the graded names of the part in it, when it
    was written, and its ``text`` as a module.
    """

    file: str
    named: bool
    held: Collection[str]
    time: float
    text: Callable[[], str]

    @cached_property
    def written(self) -> set[str]:
        """The names of ``held`` that are more than a stub."""
        return written(self.text(), self.held)

    @property
    def number(self) -> int:
        """What a browser or a platform put behind the name of a file that was there already."""
        renamed = _RENAMED.fullmatch(PurePosixPath(self.file).stem.lower())
        return int((renamed[2] or renamed[3] or "0")[:9]) if renamed else 0


def part_of(name: str, graded: Graded) -> str:
    """The part whose file this is by its name; the empty string if none. A package is called like its folder."""
    path = PurePosixPath(name)
    suffix, stem = path.suffix.lower(), path.stem.lower()
    if path.name == "__init__.py" and path.parent.name:
        stem = path.parent.name.lower()
    renamed = _RENAMED.fullmatch(stem)
    parts = {part.lower(): part for part in graded} if suffix in (".py", ".ipynb") else {}
    return parts.get(stem) or parts.get(re.sub("[- ]", "_", renamed[1]) if renamed else "", "")


def choose(part: str, candidates: Sequence[Candidate]) -> tuple[Candidate, str | Attention]:
    """The candidate to grade, and a sentence if anything is to be said about it."""
    newest = max(one.time for one in candidates)
    several = len(candidates) > 1
    modules = [one for one in candidates if one.named and not one.file.endswith(".ipynb")]
    most = max((len(one.written) for one in modules), default=0) if several else 0

    def rank(one: Candidate) -> tuple[object, ...]:
        depth, exact = one.file.count("/"), PurePosixPath(one.file).stem == part
        same = (older(one), depth, -one.number, not exact, one.file)
        written = len(one.written) if several else 0
        if one in modules:
            return (1 if one.held else 3, not written, 0, 0, *same)
        beats = written > most if one.file.endswith(".ipynb") else written > most == 0
        return (0 if beats else 2, not written, -written, -len(one.held), *same)

    def older(one: Candidate) -> bool:
        return 0 < one.time < newest - AS_OLD

    def why(one: Candidate) -> str:
        if one.held and not one.written:
            return f"{one.file} (as it was handed out)"
        return f"{one.file} (older)" if older(one) and not older(best) else one.file

    best, *others = sorted(candidates, key=rank)
    if not others:
        same_name = PurePosixPath(best.file).name == f"{part}.py"
        return best, "" if same_name else f"{part} was graded from {best.file}."
    sentence = f"{part} was graded from {best.file}, and not from {' or '.join(map(why, others))}."
    return best, Attention("chosen", sentence) if any(one.written for one in others) else sentence


def written(source: str, names: Collection[str]) -> set[str]:
    """Those of ``names`` that ``source`` binds to more than what a stub holds."""
    try:
        tree = parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return top_level_names(source).intersection(names)
    stubs = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef) and _is_stub(node)}
    return set(names) - stubs


def _is_stub(node: ast.FunctionDef | ast.ClassDef) -> bool:
    if isinstance(node, ast.ClassDef):
        methods = [one for one in node.body if isinstance(one, ast.FunctionDef)]
        return all(map(_is_stub, methods))
    return all(map(_says_nothing, node.body))


def _says_nothing(statement: ast.stmt) -> bool:
    match statement:
        case ast.Pass() | ast.Expr(ast.Constant()):
            return True
        case ast.Raise(ast.Name("NotImplementedError") | ast.Call(ast.Name("NotImplementedError"))):
            return True
    return False
