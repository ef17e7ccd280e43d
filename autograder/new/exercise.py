"""``new exercise``: a reference, a case, a known mistake, points, a visible test, a table row and a lab cell."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.course import Conventions, CourseError, Exercise, Part, Runtime
from autograder.loading import full_name, grading_module, missing_files
from autograder.new.insert import after_definition, after_line, before_variable, importing, into_variable
from autograder.new.names import check_driver, check_exercise
from autograder.new.rendering import rendered
from autograder.restated import HANDOUTS, TABLE
from autograder.settings import SETTINGS

IMPORTS: dict[Runtime, tuple[str, ...]] = {
    "numpy": ("import numpy as np", "from jaxtyping import Float"),
    "torch": ("import torch", "from torch import Tensor"),
}
MODULES = "from torch import nn"  # for a class


@dataclass(frozen=True)
class Place:
    """Where a new exercise goes: into ``part``, whose text ``source`` is, below the exercise ``after``, if given."""

    root: Path
    assignment: str
    part: Part
    source: str
    exercises: Sequence[Exercise]
    after: str
    is_new_part: bool

    def ours(self, file: str) -> Path:
        return self.root / "solutions" / self.assignment / file

    def theirs(self, file: str) -> Path:
        return self.root / "assignments" / self.assignment / file


def new_exercise(short: str, name: str, root: Path, after: str = "", torch: bool = False) -> dict[Path, str]:
    """Path → content of every file that a new exercise changes or adds; nothing is written.

    Args:
        short: the assignment, as in ``a2``.
        name: of the function, or of the class: then it begins with a capital letter.
        after: the exercise below which it goes, of the same part; the last one if not given.
        torch: whether it belongs to the part that is graded with PyTorch.

    Raises:
        CourseError: it cannot have the name; or the assignment lacks what the exercise is added to.
    """
    place = _place(short, name, root, after, "torch" if torch else "numpy")
    if name[0].isupper() and not torch:
        raise CourseError(f"{name} begins with a capital letter: classes belong to the part with PyTorch (--torch).")
    words = {
        "name": name,
        "part": place.part.name,
        "constant": _constant(name, place.ours("grading/cases.py").read_text(encoding="utf-8")),
        "torch": torch,
        "is_class": name[0].isupper(),
        "driver": _snake(name) if torch else "",
    }

    def template(file: str) -> str:
        return rendered(f"exercise/{file}", **words)

    source = importing(place.source, *IMPORTS[place.part.runtime], *([MODULES] if name[0].isupper() else []))
    changed = {place.ours(f"{place.part.name}.py"): after_definition(source, place.after, template("reference.py.j2"))}
    changed[place.ours("grading/cases.py")] = _cases(place, template("cases.py.j2"), str(words["constant"]))
    if torch:
        drivers = _read(place.ours("grading/drivers.py")).rstrip("\n")
        changed[place.ours("grading/drivers.py")] = f"{drivers}\n\n\n{template('driver.py.j2')}"
    bank = place.ours("grading/misconceptions.py")
    changed[bank] = into_variable(
        _read(bank), "MISCONCEPTIONS", template("misconception.py.j2"), lambda _, item: _mistake_in(item) == place.after
    )
    settings = place.ours(SETTINGS)
    changed[settings] = after_line(_read(settings), rf"{place.after} *=", template("points.toml.j2"), r"\[points\]")
    test = place.theirs(f"tests/{name}.py")
    changed[test] = template("visible_test.py.j2")
    changed |= _conventions(place, name)
    changed |= {path: _row(path, place.after, template("row.md.j2")) for path in _handouts(place)}
    if place.ours("lab.py").is_file():
        changed[place.ours("lab.py")] = _lab(_read(place.ours("lab.py")), place.after, template("lab.py.j2"))
    return changed


def _place(short: str, name: str, root: Path, after: str, runtime: Runtime) -> Place:
    assignment = full_name(short, root)
    if missing := missing_files(assignment, root):
        raise CourseError(f"{missing[0]}.")
    cases = grading_module(assignment, root, "cases")
    exercises: Sequence[Exercise] = cases.EXERCISES
    topic = assignment.partition("_")[2] or assignment
    fresh = Part(f"{topic}_torch" if runtime == "torch" else topic, runtime)
    part = next((part for part in cases.PARTS if part.runtime == runtime), fresh)
    own = [e for e in exercises if e.part == part.name and not isinstance(e, Conventions)]
    if after and after not in {exercise.name for exercise in own}:
        raise CourseError(f"{part.name}.py has no exercise {after}; known: {', '.join(e.name for e in own) or 'none'}.")
    below = after or (own[-1].name if own else "")
    file = root / "solutions" / assignment / f"{part.name}.py"
    is_new = part not in cases.PARTS
    source = rendered("assignment/part.py.j2", torch=runtime == "torch") if is_new else _read(file)
    place = Place(root, assignment, part, source, exercises, below, is_new)
    parts = [one.name for one in (*cases.PARTS, part)]
    check_exercise(
        name, importing(source, *IMPORTS[runtime], MODULES), parts, [exercise.name for exercise in exercises]
    )
    if runtime == "torch":
        check_driver(_snake(name), name, _read(place.ours("grading/drivers.py")))
    return place


def _cases(place: Place, text: str, entry: str) -> str:
    names = ["Case", "Criterion", "Exercise", "inputs"]
    # where the header says that no earlier call shows in an answer, or that no later one changes it, each exercise of
    # the file is asked so
    for said, asked in (("earlier calls", "alone"), ("later calls", "kept")):
        if place.part.runtime == "numpy" and said in place.source:
            entry, names = f"{asked}({entry})", [*names, asked]
    source = importing(
        _read(place.ours("grading/cases.py")), *(f"from autograder.course import {name}" for name in names)
    )
    numbers = {exercise.name: number for number, exercise in enumerate(place.exercises)}
    source = before_variable(source, "EXERCISES", text)
    if place.is_new_part:
        part = f'    Part("{place.part.name}", "{place.part.runtime}"),\n'
        source = into_variable(_one_a_line(source, "PARTS"), "PARTS", part, lambda number, item: True)
    last = max((numbers[one.name] for one in place.exercises if not isinstance(one, Conventions)), default=-1)
    last = numbers.get(place.after, last)
    return into_variable(source, "EXERCISES", f"    {entry},\n", lambda number, _: number == last)


def _one_a_line(source: str, variable: str) -> str:
    """A tuple that stands on one line, with a line for each item."""
    found = re.search(rf"^{variable} = \((.+)\)$", source, re.MULTILINE)
    if not found:
        return source
    items = ast.parse(found[0].partition(" = ")[2], mode="eval").body
    assert isinstance(items, ast.Tuple)
    lines = "".join(f"    {ast.unparse(item)},\n".replace("'", '"') for item in items.elts)
    return f"{source[: found.start()]}{variable} = (\n{lines}){source[found.end() :]}"


def _mistake_in(item: ast.expr) -> str:
    """The exercise of an entry of the bank, as it is written there."""
    match item:
        case ast.Call(func=ast.Name("Misconception"), args=[_, ast.Constant(str(name)), *_]):
            return name
    return ""


def _conventions(place: Place, name: str) -> dict[Path, str]:
    """The visible test of the file's conventions, where it calls each function of this part."""
    path = place.theirs("tests/conventions.py")
    source = _read(path) if path.is_file() else ""
    if place.part.runtime != "numpy" or "\nCALLS = {" not in source:
        return {}
    entry = f'    "{name}": call("FILL IN: small arrays"),\n'
    return {path: into_variable(source, "CALLS", entry, lambda _, key: ast.unparse(key).strip("'") == place.after)}


def _handouts(place: Place) -> list[Path]:
    return [path for path in sorted(place.theirs("").glob(HANDOUTS)) if TABLE.search(_read(path))]


def _row(path: Path, after: str, row: str) -> str:
    text = _read(path)
    table = TABLE.search(text)
    assert table
    rows = after_line(table["rows"], rf"\|[^|\n]*`{after}`" if after else r"(?!)", row.strip("\n"), r"\|-")
    return text[: table.start("rows")] + rows + text[table.end("rows") :]


def _lab(text: str, after: str, cell: str) -> str:
    """The cell below that of ``after``, else before the heading above the last cell, which exports."""
    found = re.search(rf'^grader\.check\("{after}"\).*\n', text, re.MULTILINE) if after else None
    if found:
        return f"{text[: found.end()]}\n{cell}{text[found.end() :]}"
    end = text.find("# %% [markdown]\n# ---\n# ## Hand in")
    return f"{text[:end]}{cell}\n{text[end:]}" if end >= 0 else f"{text.rstrip()}\n\n{cell}"


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _constant(name: str, cases: str) -> str:
    """What the exercise is called in ``cases.py``."""
    constant = _snake(name).upper()
    return f"{constant}_EXERCISE" if re.search(rf"\b{constant}\b", cases) else constant


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise CourseError(f"{path} is missing.") from None
