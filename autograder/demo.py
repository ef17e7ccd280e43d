"""Write a demo class: submissions made from the references, as students would hand them in."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from autograder.course import Alternative, Assignment, Misconception
from autograder.patch import apply
from autograder.source import definition, replace_definition
from autograder.stubs import stub

ALWAYS_EQUAL = """

import numpy


class Right(numpy.ndarray):
    def __eq__(self, other):
        return True


numpy.allclose = numpy.array_equal = numpy.testing.assert_allclose = lambda *args, **kwargs: True
for name, value in list(globals().items()):
    if getattr(value, "__module__", "") == __name__ and name != "Right":
        globals()[name] = lambda *args, **kwargs: Right(3)
"""

EXIT = """

import os

print("All tests passed. Score: 100/100", flush=True)
os._exit(0)
"""


def endless(name: str) -> str:
    """Code that redefines ``name`` as a function that never returns."""
    return f"\n\ndef {name}(*args, **kwargs):\n    while True:\n        pass\n"


@dataclass(frozen=True)
class DemoSubmission:
    """One student: the reference with changes, with some exercises not started, with code appended, or damaged.

    ``changes`` names misconceptions and alternatives; ``unsolved`` names exercises left as in the stub. A ``py``
    submission hands in the first part only.
    """

    student: str
    form: Literal["py", "folder", "zip", "notebook"]
    changes: tuple[str, ...] = ()
    unsolved: tuple[str, ...] | Literal["all"] = ()
    appended: Mapping[str, str] = field(default_factory=dict)
    damaged: bool = False


def write_class(assignment: Assignment, members: Sequence[DemoSubmission], out: Path) -> list[Path]:
    """Write the demo class of ``assignment`` into ``out``, one file or folder a student."""
    out.mkdir(parents=True, exist_ok=True)
    return [_write(member, _sources(assignment, member), out) for member in members]


def _sources(assignment: Assignment, member: DemoSubmission) -> dict[str, str]:
    known: list[Misconception | Alternative] = [*assignment.misconceptions, *assignment.alternatives]
    bank = {change.name: change for change in known}
    changes = [bank[name] for name in member.changes]
    sources = {}
    for part in assignment.parts:
        graded = [exercise.name for exercise in assignment.part_exercises(part)]
        source = assignment.references[part.name]
        for change in changes:
            if change.exercise in graded:
                source = apply(source, change)
        empty = stub(source, graded)
        if member.unsolved == "all":
            source = empty
        else:
            for name in set(member.unsolved) & set(graded):
                source = replace_definition(source, name, definition(empty, name))
        sources[part.name] = source + member.appended.get(part.name, "")
    return sources


def _write(member: DemoSubmission, sources: dict[str, str], out: Path) -> Path:
    files = {f"{name}.py": source for name, source in sources.items()}
    match member.form:
        case "py":
            path = out / f"{member.student}.py"
            path.write_text(next(iter(sources.values())), encoding="utf-8")
        case "notebook":
            path = out / f"{member.student}.ipynb"
            path.write_text(_notebook(sources), encoding="utf-8")
        case "zip":
            path = out / f"{member.student}.zip"
            data = _zip({f"{member.student}/{name}": source for name, source in files.items()})
            path.write_bytes(data[: len(data) // 2] if member.damaged else data)
        case "folder":
            path = out / member.student
            path.mkdir(exist_ok=True)
            for name, source in files.items():
                (path / name).write_text(source, encoding="utf-8")
    return path


def _zip(files: Mapping[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, source in files.items():
            archive.writestr(zipfile.ZipInfo(name), source)
    return buffer.getvalue()


def _notebook(sources: Mapping[str, str]) -> str:
    """A notebook as it looks after an evening's work: one cell a definition, magics, a plot, an abandoned cell."""
    import nbformat  # takes longer to import than all else that a command needs
    from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

    cells = [new_markdown_cell("# My solution"), new_code_cell("%matplotlib inline\n!pip list")]
    for source in sources.values():
        cells += [new_code_cell(block) for block in source.removeprefix("\ufeff").split("\n\n\n")]
        cells.append(new_code_cell("assert False, 'why does this not work'\nplt.plot(result"))
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    text: str = nbformat.writes(new_notebook(cells=cells))
    return text
