"""Each handout names every exercise, and points to sections and figures that are there."""

from __future__ import annotations

import ast
import builtins
import re
from pathlib import Path

import pytest

from autograder import course, loading

ROOT = Path(__file__).parents[1]
HANDOUTS = [name for name in loading.find_assignments(ROOT) if (ROOT / "assignments" / name / "README.md").is_file()]


@pytest.fixture(scope="module", params=HANDOUTS)
def assignment(request: pytest.FixtureRequest) -> course.Assignment:
    return loading.load(request.param, ROOT)


@pytest.fixture(scope="module")
def handout(assignment: course.Assignment) -> str:
    return (ROOT / "assignments" / assignment.name / "README.md").read_text(encoding="utf-8")


def graded(assignment: course.Assignment) -> dict[str, str]:
    """exercise → the section of the handout that its docstring names, as in "§1 Pooling"."""
    nodes = [node for source in assignment.references.values() for node in ast.parse(source).body]
    documented = {
        node.name: str(ast.get_docstring(node)) for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    names = [e.name for e in assignment.every_exercise if not isinstance(e, course.Conventions)]
    sections = {name: re.findall(r"Handout: (.+)\.$", documented[name]) for name in names}
    return {name: found[0] for name, found in sections.items()}


PYTORCH = {"attn_mask", "c_n", "h_n", "key_padding_mask", "nan_to_num"}  # what handouts say of PyTorch and NumPy


def test_whatever_a_handout_or_a_docstring_names_is_called_so_in_the_code(assignment: course.Assignment) -> None:
    """An exercise that was taken out must not stand in the prose any more."""
    ours, theirs = (ROOT / half / assignment.name for half in ("solutions", "assignments"))
    files = [*ours.glob("*.py"), ours / "assignment.toml", *theirs.glob("*.py"), *theirs.glob("[ct]*s/*.py")]
    text, quoted = "\n".join(path.read_text(encoding="utf-8") for path in files), re.compile(r"``(\w+)``")
    known = {*re.findall(r"\w+", quoted.sub("", text)), *dir(builtins), *PYTORCH}
    assert set(quoted.findall("".join(assignment.references.values()))) <= known
    for handout in theirs.glob("README*.md"):
        named = set(re.findall(r"(?<!`)`(\w+)`(?!`)", handout.read_text(encoding="utf-8")))
        assert len(named) > 20
        assert named <= known, handout.name


def test_the_table_holds_every_exercise_in_its_section(assignment: course.Assignment, handout: str) -> None:
    """Their points are held by ``build``: see test_restated.py."""
    table = handout.split("\n## Exercises and points\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`.+?) \| .+? \| (§\d+) \|$", table, re.MULTILINE)
    sections = graded(assignment)
    assert sorted(name for exercises, _ in rows for name in re.findall(r"`(\w+)`", exercises)) == sorted(sections)
    bonus = {exercise.name for exercise in assignment.every_exercise if exercise.bonus}
    for exercises, section in rows:
        names = re.findall(r"`(\w+)`", exercises)
        assert {sections[name].split()[0] for name in names} == {section}, exercises
        assert all(("(bonus)" in exercises) is (name in bonus) for name in names)
    assert re.search(r"^\| all \| .+ \| \|$", table, re.MULTILINE)


def test_docstrings_name_sections_of_the_handout(assignment: course.Assignment, handout: str) -> None:
    headings = set(re.findall(r"^## (§.+)$", handout, re.MULTILINE))
    assert {section for named in graded(assignment).values() for section in named.split(", and ")} <= headings


def test_links_lead_somewhere(assignment: course.Assignment, handout: str) -> None:
    headings = re.findall(r"^#+ (.+)$", handout, re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-").lstrip("-") for heading in headings}
    for target in re.findall(r"\]\(#(.+?)\)", handout):
        assert target in anchors
    figures = re.findall(r"^!\[(.+)\]\((figures/.+)\)$", handout, re.MULTILINE)
    assert handout.count("](figures/") == len(figures)
    folder = ROOT / "assignments" / assignment.name
    assert {path for _, path in figures} == {f"figures/{path.name}" for path in (folder / "figures").glob("*.png")}
