"""Generates what students receive: stubs and labs from ``solutions/``, helpers from ``student/``, and labs' data.

A stub is cut out of the text of its reference, by the line ranges of the syntax tree, so that the formatting and the
comments of what remains survive. The signatures and docstrings of what is graded remain, and so does every other
public definition; private definitions and imports remain where those name them, and torch is always imported.

A lab is written as a script in jupytext's percent format, where it can be read, compared and linted. What it reads from
``data/`` is copied beside it. Of what is written by hand, only the points are written anew.
"""

from __future__ import annotations

import ast
import contextlib
import io
import re
import tokenize
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import nbformat

from autograder import settings, translation
from autograder.course import Assignment, Conventions, CourseError
from autograder.loading import PROVIDED, find_assignments, load, missing_files
from autograder.restated import HANDOUTS, restated

STUDENT = Path(__file__).parent / "student"
HELPERS = ("agreement.py", "checks.py", "conftest.py", "course.mplstyle", "labkit.py", "pytest.ini")
HELPER_HEADER = '# Generated from autograder/student/{name} by "python -m autograder build": change it there.'
STUB_HEADER = '# This file is yours: put your code where it raises NotImplementedError, then run "python -m pytest".'
NOTEBOOK = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
_DATA_FILE = re.compile(r"\bdata/([\w.-]+\w)")


class BuildError(Exception):
    """Something cannot be generated; the message is one sentence for whoever maintains the course."""


def build(root: Path) -> list[Path]:
    """Write every generated file of the course at ``root`` that is missing or differs, and return those.

    Raises:
        BuildError: something cannot be generated; nothing is written then.
        CourseError: an assignment cannot be loaded; nothing is written then.
    """
    changed: dict[Path, bytes] = {}
    for name in find_assignments(root):
        if missing := missing_files(name, root):
            raise BuildError(f"{missing[0]}.")
        assignment = load(name, root)
        wanted = generated(root, assignment)
        wanted |= {path: file.content for path, file in restated(assignment, root / "assignments" / name).items()}
        changed |= {path: content for path, content in wanted.items() if _read(path) != content}
    for path, content in changed.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return list(changed)


def stale(root: Path) -> list[str]:
    """What is not as generated, in words: files that are missing or differ, files that do not belong, and points that
    are not those of ``assignment.toml``.
    """
    problems = []
    for name in find_assignments(root):
        if missing := missing_files(name, root):
            problems += missing
            continue
        try:
            assignment = load(name, root)
            wanted = generated(root, assignment)
        except CourseError as error:
            problems.append(str(error).removesuffix("."))
            continue
        for path, content in wanted.items():
            if (found := _read(path)) != content:
                difference = "differs" if found is not None else "is missing"
                problems.append(f"{path.relative_to(root).as_posix()} {difference}")
        folder = root / "assignments" / name
        for path, file in restated(assignment, folder).items():
            label = path.relative_to(root).as_posix()
            if _written_by_hand(path.relative_to(folder)):
                problems += [f"{label}: {sentence}" for sentence in (*file.stale, *file.unknown)]
        for path in sorted(folder.rglob("*")):
            if not path.is_dir() and path not in wanted and not _written_by_hand(path.relative_to(folder)):
                problems.append(f"{path.relative_to(root).as_posix()} is unexpected")
    return problems


def remarks(root: Path) -> list[str]:
    """What is to be said of each assignment's settings, if it can be loaded, and of its handout's translations."""
    said = []
    for name in find_assignments(root):
        said += translation.remarks(root / "assignments" / name)
        with contextlib.suppress(CourseError):
            assignment = load(name, root)
            said += settings.remarks(assignment)
            if dropped := [exercise.name for exercise in assignment.dropped]:
                label = f"solutions/{name}/{settings.SETTINGS}"
                said.append(f"{label}: not graded, for want of a line below [points]: {', '.join(dropped)}.")
    return said


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


def notebook(source: str) -> str:
    """A lab as students receive it: a notebook without outputs, the same text for the same source.

    Args:
        source: the lab in jupytext's percent format.

    Raises:
        BuildError: jupytext is not installed.
    """
    try:
        import jupytext
    except ImportError:
        raise BuildError("Labs are made by jupytext, which is not installed: pip install -e '.[lab]'.") from None
    cells = jupytext.reads(source, fmt="py:percent").cells
    for number, cell in enumerate(cells, start=1):
        cell.id, cell.metadata = f"cell-{number:02}", {}
    text: str = nbformat.writes(nbformat.v4.new_notebook(cells=cells, metadata=NOTEBOOK))
    return text + "\n"


def generated(root: Path, assignment: Assignment, make_lab: Callable[[str], str] | None = None) -> dict[Path, bytes]:
    """Every generated file of an assignment, where it belongs; ``make_lab`` replaces :func:`notebook`.

    Raises:
        BuildError: one cannot be generated.
    """
    files = {}
    target, source = root / "assignments" / assignment.name, root / "solutions" / assignment.name
    for name in HELPERS:
        text = f"{HELPER_HEADER.format(name=name)}\n{(STUDENT / name).read_text(encoding='utf-8')}"
        files[target / name] = text.encode()
    for module, reference in assignment.references.items():
        asked = [e for e in assignment.every_exercise if not isinstance(e, Conventions)]
        names = [exercise.name for exercise in asked if exercise.part == module]
        try:
            files[target / f"{module}.py"] = stub(reference, names).encode()
        except ValueError as error:
            raise BuildError(f"{source / module}.py: {error}.") from None
    for path in source.glob(PROVIDED):
        files[target / path.name] = path.read_bytes()
    lab = source / "lab.py"
    if lab.is_file():
        text = lab.read_text(encoding="utf-8")
        files[target / "lab.ipynb"] = (make_lab or notebook)(text).encode()
        for name in _DATA_FILE.findall(text):
            content = _read(root / "data" / name)
            if content is None:
                raise BuildError(f"{lab} reads data/{name}, which is not in {root / 'data'}.")
            files[target / "data" / name] = content
    return files


def _written_by_hand(path: Path) -> bool:
    """Whether a file of an assignment's folder is a source, or a cache of Python's.

    A conftest.py or __init__.py among the tests would be taken for an exercise by otter.
    """
    if path.parts[0] == "figures" or "__pycache__" in path.parts or (len(path.parts) == 1 and path.match(HANDOUTS)):
        return True
    return path.match("tests/*.py") and len(path.parts) == 2 and path.stem not in ("conftest", "__init__")


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


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
    while found := [node for node in optional if node not in kept and _bound(node) & used]:
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
    names = _bound(node)
    return bool(names) and all(name.startswith("_") and not name.endswith("__") for name in names)


def _bound(node: ast.stmt) -> set[str]:
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
