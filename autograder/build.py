"""Generates what students receive: stubs and labs from ``solutions/``, helpers from ``student/``, and labs' data.

A lab is written as a script in jupytext's percent format, where it can be read, compared and linted. What it reads from
``data/`` is copied beside it. Of what is written by hand, only the points are written anew.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from autograder import settings, translation, visible
from autograder.course import Assignment, Conventions, CourseError
from autograder.loading import PROVIDED, find_assignments, load, missing_files
from autograder.restated import HANDOUTS, restated
from autograder.stubs import stub

STUDENT = Path(__file__).parent / "student"
CHECKS = (
    "__init__",
    "__main__",
    "agreement",
    "calls",
    "comparing",
    "console",
    "conventions",
    "criteria",
    "examples",
    "files",
    "forbidden",
    "gradients",
    "inputs",
    "limits",
    "loop",
    "mistakes",
    "names",
    "reading",
    "report",
    "running",
    "syntax",
    "watching",
)
HELPERS = (*(f"checks/{module}.py" for module in CHECKS), "conftest.py", "course.mplstyle", "labkit.py", "pytest.ini")
HELPER_HEADER = '# Generated from autograder/student/{name} by "python -m autograder build": change it there.'
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
        folder = root / "assignments" / name
        wanted = generated(root, assignment)
        wanted |= {path: file.content for path, file in restated(assignment, folder).items()}
        path = folder / visible.MISTAKES
        wanted[path] = visible.mistakes(assignment, _below(folder, wanted), _read(path))
        changed |= {path: content for path, content in wanted.items() if _read(path) != content}
    for path, content in changed.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return list(changed)


def told(root: Path, written: Collection[Path]) -> list[str]:
    """A sentence for each assignment whose known mistakes are among the files that were ``written``."""
    found = []
    for name in find_assignments(root):
        path = root / "assignments" / name / visible.MISTAKES
        if path in written:
            found.append(visible.summary(load(name, root), path.read_bytes()))
    return found


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
        written = restated(assignment, folder)
        for path, file in written.items():
            label = path.relative_to(root).as_posix()
            if _written_by_hand(path.relative_to(folder)):
                problems += [f"{label}: {sentence}" for sentence in (*file.stale, *file.unknown)]
        path = folder / visible.MISTAKES
        given = _below(folder, wanted | {written_path: file.content for written_path, file in written.items()})
        wanted[path] = _read(path) or b""
        if not visible.is_fresh(assignment, given, wanted[path]):
            problems.append(f"{path.relative_to(root).as_posix()} {'differs' if path.is_file() else 'is missing'}")
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


def notebook(source: str) -> str:
    """A lab as students receive it: a notebook without outputs, the same text for the same source.

    Args:
        source: the lab in jupytext's percent format.

    Raises:
        BuildError: jupytext is not installed.
    """
    try:
        import jupytext  # and with it nbformat, which takes longer to import than all else that a command needs
        import nbformat
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
    target, ours = root / "assignments" / assignment.name, root / "solutions" / assignment.name
    for name in HELPERS:
        text = f"{HELPER_HEADER.format(name=name)}\n{(STUDENT / name).read_text(encoding='utf-8')}"
        files[target / name] = text.encode()
    for module, reference in assignment.references.items():
        asked = [e for e in assignment.every_exercise if not isinstance(e, Conventions)]
        names = [exercise.name for exercise in asked if exercise.part == module]
        try:
            files[target / f"{module}.py"] = stub(reference, names).encode()
        except ValueError as error:
            raise BuildError(f"{ours / module}.py: {error}.") from None
    for path in ours.glob(PROVIDED):
        files[target / path.name] = path.read_bytes()
    lab = ours / "lab.py"
    if lab.is_file():
        text = lab.read_text(encoding="utf-8")
        files[target / "lab.ipynb"] = (make_lab or notebook)(text).encode()
        for name in _DATA_FILE.findall(text):
            content = _read(root / "data" / name)
            if content is None:
                raise BuildError(f"{lab} reads data/{name}, which is not in {root / 'data'}.")
            files[target / "data" / name] = content
    return files


def handed_out(root: Path, assignment: Assignment) -> dict[str, bytes]:
    """Path in the student's folder → content, as it stands: helpers, stubs, tests, data, known mistakes."""
    folder = root / "assignments" / assignment.name
    found = [*folder.glob("*.py"), *folder.glob("checks/*.*"), *folder.glob("tests/*.py"), *folder.glob("data/*")]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def _below(folder: Path, files: Mapping[Path, bytes]) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): content for path, content in files.items()}


def _written_by_hand(path: Path) -> bool:
    """Whether a file of an assignment's folder is a source, or a cache of Python's.

    A conftest.py or __init__.py among the tests would be taken for an exercise by otter.
    """
    if path.parts[0] == "figures" or "__pycache__" in path.parts or (len(path.parts) == 1 and path.match(HANDOUTS)):
        return True
    return path.match("tests/*.py") and len(path.parts) == 2 and path.stem not in ("conftest", "__init__")


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None
