"""The points that students read: numbers in visible tests and in the handout's table, which are written by hand.

These numbers follow ``assignment.toml``; the text around them stays as it is. Where an exercise is dropped, its visible
test has no points and its row says so. A handout's translations have the same table.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.course import Assignment
from autograder.decimals import points, total

HANDOUT, HANDOUTS, TESTS = "README.md", "README*.md", "tests/*.py"
TABLE = re.compile(r"^## (?:Exercises and points|(?P<chinese>练习与分值))\r?\n(?P<rows>.*?)(?=^## |\Z)", re.M | re.S)
ROW = re.compile(r"^\| (?P<title>[^|\n]*`[^|\n]*|all|合计) \| *(?P<points>[^|\n]*?) *\|", re.MULTILINE)
NOT_GRADED, NOT_GRADED_IN_CHINESE = "not graded", "不计分"
LINE = 120  # characters, as the formatter has it


@dataclass(frozen=True)
class Restated:
    """A file with the right ``content``; ``stale`` says which numbers it has changed.

    ``unknown`` says what no number can mend: criteria that are not those of the exercise, and rows that are missing.
    Names that are no exercise's stay as they are (see ``named``).
    """

    content: bytes
    stale: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def restated(assignment: Assignment, folder: Path) -> dict[Path, Restated]:
    """The visible tests, the handout of ``assignment`` and its translations, as far as ``folder`` has them."""
    found = {path: visible_test(assignment, path.stem, path.read_bytes()) for path in sorted(folder.glob(TESTS))}
    found |= {path: handout(assignment, path.read_bytes()) for path in sorted(folder.glob(HANDOUTS))}
    return found


def visible_test(assignment: Assignment, name: str, content: bytes) -> Restated:
    """The test of the exercise ``name``: the number in each ``@criterion(name, points, …)``."""
    known = {e.name: [criterion.name for criterion in e.criteria] for e in assignment.every_exercise}
    if name not in known:
        return Restated(content)
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError) as error:
        return Restated(content, unknown=(f"it cannot be read: {error}",))
    paid = assignment.points.get(name) or dict.fromkeys(known[name], 0)
    edits, stale, unknown, missing = list[tuple[int, int, bytes]](), [], [], dict.fromkeys(paid)
    for call, criterion, number in _criteria(tree):
        missing.pop(criterion, None)
        if criterion not in paid:
            unknown.append(f"{name} has no criterion {criterion}")
        elif number.value != paid[criterion]:
            wanted = points(paid[criterion])
            stale.append(_difference(f"{name}.{criterion}", str(number.value), wanted))
            edits.append(_edit(content, call, wanted))
    unknown += [f'there is no @criterion("{criterion}", …) with a number' for criterion in missing]
    for start, end, text in sorted(edits, reverse=True):
        content = content[:start] + text + content[end:]
    return Restated(content, tuple(stale), tuple(unknown))


def handout(assignment: Assignment, content: bytes) -> Restated:
    """The table of exercises, if there is one: the points of each row, and those of the row for all."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return Restated(content, unknown=("it is not UTF-8 text",))
    table = TABLE.search(text)
    if not table:
        return Restated(content)
    missing = {exercise.name: None for exercise in assignment.every_exercise}
    known, stale, unknown = set(missing), [], []

    def row(found: re.Match[str]) -> str:
        title, written = found["title"], found["points"]
        names = re.findall(r"`(.+?)`", title)
        for name in names:
            missing.pop(name, None)
        if not known.issuperset(names):
            return found[0]
        wanted = _cell(assignment, names, NOT_GRADED_IN_CHINESE if table["chinese"] else NOT_GRADED)
        if written != wanted:
            stale.append(_difference(f"the row “{title}”", written, wanted))
        return f"| {title} | {wanted} |"

    changed = text[: table.start("rows")] + ROW.sub(row, table["rows"]) + text[table.end("rows") :]
    unknown += [f"the table has no row for {name}" for name in missing]
    return Restated(changed.encode(), tuple(stale), tuple(unknown))


def without_points(text: str) -> str:
    """A handout whose table of exercises says nothing of points."""
    table = TABLE.search(text)
    if not table:
        return text
    return text[: table.start("rows")] + ROW.sub(r"| \g<title> | |", table["rows"]) + text[table.end("rows") :]


def _cell(assignment: Assignment, names: Sequence[str], not_graded: str) -> str:
    """What the column of points says of the exercises of one row; of all exercises where it names none."""
    graded = [exercise for exercise in assignment.exercises if exercise.name in names or not names]
    dropped = [f"`{exercise.name}`" for exercise in assignment.dropped if exercise.name in names]
    if not graded:
        return not_graded
    worth = {
        bonus: points(total(p for e in graded if e.bonus is bonus for p in assignment.points[e.name].values()))
        for bonus in {exercise.bonus for exercise in graded}
    }
    cell = ", ".join(f"+{worth[bonus]}" if bonus else worth[bonus] for bonus in sorted(worth))
    return f"{cell} ({', '.join(dropped)}: {not_graded})" if dropped else cell


def _difference(what: str, has: str, wanted: str) -> str:
    return f"{what} has {has or 'nothing'}, in assignment.toml it is {wanted}"


def _criteria(tree: ast.Module) -> Iterator[tuple[ast.Call, str, ast.Constant]]:
    """Each ``criterion(name, points, …)`` above a function: the call, the name, and the number."""
    for node in tree.body:
        for decorator in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
            match decorator:
                case ast.Call(func=ast.Name("criterion"), args=[ast.Constant(str(name)), ast.Constant() as number, *_]):
                    yield decorator, name, number


def _edit(content: bytes, call: ast.Call, wanted: str) -> tuple[int, int, bytes]:
    """From where to where ``content`` is replaced, and by what: the call with another number, as a formatter has it."""
    arguments: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
    pieces = [content[slice(*_span(content, argument))].decode() for argument in arguments]
    pieces[1] = wanted
    inside = ", ".join(pieces)
    if len(f"@criterion({inside})") <= LINE:
        written = f"criterion({inside})"
    elif len(f"    {inside}") <= LINE:
        written = f"criterion(\n    {inside}\n)"
    else:
        written = "criterion(\n" + "".join(f"    {piece},\n" for piece in pieces) + ")"
    return *_span(content, call), written.encode()


def _span(content: bytes, node: ast.expr | ast.keyword) -> tuple[int, int]:
    lines = content.split(b"\n")
    start, end = (sum(len(line) + 1 for line in lines[: number - 1]) for number in (node.lineno, node.end_lineno or 0))
    return start + node.col_offset, end + (node.end_col_offset or 0)
