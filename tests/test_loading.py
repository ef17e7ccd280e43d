"""Assignments found and read from a course folder: any number, any name, and one never depends on another."""

from __future__ import annotations

import ast
import shutil
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from autograder.course import CourseError
from autograder.grade_key import version
from autograder.loading import PUBLIC_SEED, find_assignments, full_name, load, seed_doubt, stretched

ROOT = Path(__file__).parent.parent


@pytest.fixture
def course(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "solutions", tmp_path / "solutions", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_assignments_have_any_name_and_natural_order(tmp_path: Path) -> None:
    for name in ("a10_diffusion", "a2_pooling", "warm_up", "a2", "notes"):
        (tmp_path / "solutions" / name / "grading").mkdir(parents=True)
    (tmp_path / "solutions" / "notes" / "grading").rmdir()
    (tmp_path / "solutions" / "drawing.py").touch()
    assert find_assignments(tmp_path) == ["a2", "a2_pooling", "a10_diffusion", "warm_up"]
    assert full_name("a10", tmp_path) == full_name("a10_diffusion", tmp_path) == "a10_diffusion"
    assert full_name("a2", tmp_path) == "a2"
    (tmp_path / "solutions" / "a10_gans" / "grading").mkdir(parents=True)
    with pytest.raises(CourseError, match="'a10' could be a10_diffusion or a10_gans: give the full name"):
        full_name("a10", tmp_path)


def test_a_folder_without_assignments_is_said(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match="holds no assignments: is it the course's root folder"):
        full_name("a1", tmp_path)


@pytest.mark.parametrize("file", ["cases.py", "drivers.py", "misconceptions.py"])
def test_a_comment_in_one_assignment_regrades_nothing_of_another(course: Path, file: str) -> None:
    before = {name: version(load(name, course)) for name in ("a1", "a6")}
    path = course / "solutions" / "a6_attention" / "grading" / file
    path.write_text(path.read_text(encoding="utf-8") + "\n# a remark\n", encoding="utf-8")
    assert version(load("a1", course)) == before["a1"]
    assert version(load("a6", course)) != before["a6"]


def test_what_only_proves_the_cases_regrades_nothing(course: Path) -> None:
    before = version(load("a1", course))
    for file in ("alternatives.py", "equivalents.py", "promises.py", "demo.py"):
        path = course / "solutions" / "a1_convolution" / "grading" / file
        path.write_text(path.read_text(encoding="utf-8") + "\n# a remark\n", encoding="utf-8")
    assert version(load("a1", course)) == before


def test_an_assignment_whose_cases_cannot_be_loaded_is_said(course: Path) -> None:
    path = course / "solutions" / "a1_convolution" / "grading" / "cases.py"
    path.write_text("from nowhere import Case\n", encoding="utf-8")
    with pytest.raises(CourseError, match=r"cases\.py cannot be loaded: ModuleNotFoundError: .*'nowhere'"):
        load("a1", course)


@pytest.mark.parametrize(
    ("seed", "doubt"),
    [(PUBLIC_SEED, "the public seed"), ("s3cret", "could be guessed"), ("ws2026/27", "could be guessed")],
)
def test_a_weak_seed_is_doubted(seed: str, doubt: str) -> None:
    assert doubt in seed_doubt(seed)
    assert seed_doubt("9f86d081884c7d659a2f") == ""


def test_a_seed_is_stretched() -> None:
    assert stretched("spring") != stretched("Spring")
    assert "spring" not in stretched("spring")
    assert len(stretched("spring")) == 128


def test_the_engine_imports_one_way_and_names_no_assignment() -> None:
    """Neither a circle of modules, nor an import of content."""
    files = {path: path.relative_to(ROOT).with_suffix("") for path in (ROOT / "autograder").rglob("*.py")}
    names = {".".join(part for part in name.parts if part != "__init__"): path for path, name in files.items()}
    graph: dict[str, set[str]] = {}
    for name, path in names.items():
        found = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                package = name if path.name == "__init__.py" else name.rpartition(".")[0]
                module = ".".join(filter(None, [package if node.level else "", node.module]))
                found |= {f"{module}.{alias.name}" for alias in node.names}
                found |= {module} if module != package else set()
        assert not {other for other in found if other.split(".")[0] in ("solutions", "assignments", "tests")}
        graph[name] = {other for other in found & names.keys() if other != name}
    graph["autograder"] = set()  # what it exports is imported at the first use
    assert len(list(TopologicalSorter(graph).static_order())) == len(graph)
    text = "".join(path.read_text(encoding="utf-8") for path in names.values())
    assert {name for name in find_assignments(ROOT) if name in text} <= {"a1_convolution"}  # the example of a name
