"""Assignments found and read from a course folder: any number, any name, and one never depends on another."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from autograder.course import CourseError
from autograder.grade_key import version
from autograder.loading import PUBLIC_SEED, find_assignments, full_name, load, seed_doubt, stretched, term_seed

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


def test_an_assignment_is_named_by_its_folder_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for half in ("solutions", "assignments"):
        (tmp_path / "course" / half / "a2_pooling" / "grading").mkdir(parents=True)
    course = tmp_path / "course"
    monkeypatch.chdir(course)
    for name in ("a2/", "a2_pooling/", "./a2_pooling", "solutions/a2_pooling", "assignments/a2_pooling/"):
        assert full_name(name, course) == "a2_pooling"
    assert full_name(str(course / "assignments" / "a2_pooling"), course) == "a2_pooling"
    for name in ("release/a2_pooling", "../other/solutions/a2_pooling"):
        with pytest.raises(CourseError, match=r"is no assignment of the course .*: its name is enough, such as a1\."):
            full_name(name, course)


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
    with pytest.raises(CourseError, match=r"cases\.py, line 1, cannot be loaded: ModuleNotFoundError: .*'nowhere'"):
        load("a1", course)


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ("kept(RELU),\n    kept(RELU),", "EXERCISES holds relu twice, where kept(…) and alone(…) stand around the one"),
        ("RELU,\n    kept(RELU),", "EXERCISES holds relu twice"),
        ("kept(kept(RELU)),", "relu.values has two cases “an answer that is kept while another is given”"),
        ("Exercise('elu', 'activations', RELU.criteria),\n    kept(RELU),", "elu and relu share the case “a matrix”"),
        ("Exercise('elu', 'activations', [*RELU.criteria] * 2),\n    kept(RELU),", "elu has two criteria values"),
        ("alone(RELU, 'no such'),", "LookupError: alone(…): relu has no case “no such”."),
        ("kept(RELUU),", ", cannot be loaded: NameError: name 'RELUU' is not defined"),
        ("kept(RELU],", ", cannot be loaded: SyntaxError: closing parenthesis"),
    ],
)
def test_what_cannot_stand_among_the_exercises_is_said(course: Path, entry: str, sentence: str) -> None:
    path = course / "solutions" / "a2_activations" / "grading" / "cases.py"
    text = path.read_text(encoding="utf-8").replace("fixed, inputs, kept", "fixed, inputs, kept, alone")
    path.write_text(text.replace("    kept(RELU),", f"    {entry}"), encoding="utf-8")
    with pytest.raises(CourseError, match=re.escape(sentence)) as raised:
        load("a2", course)
    line = next(
        n for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if entry.split("\n")[0] in line
    )
    where = rf"cases\.py, line {line}, cannot" if "cannot" in sentence else r"cases\.py(:|, line \d+, cannot)"
    assert re.search(where, str(raised.value))


def test_a_reference_that_is_no_python_is_said(course: Path) -> None:
    path = course / "solutions" / "a1_convolution" / "convolution.py"
    path.write_text("x = 1\ndef convolve(x, h) (:\n", encoding="utf-8")
    with pytest.raises(CourseError, match=r"convolution\.py, line 2: expected ':'\.$"):
        load("a1", course)


@pytest.mark.parametrize(
    ("seed", "doubt"),
    [
        (PUBLIC_SEED, "the public seed"),
        ("s3cret", "could be guessed"),
        ("ws2026/27", "could be guessed"),
        ("a" * 40, "could be guessed"),
        ("passwordpassword", "could be guessed"),
        ("12345678901234567890", "could be guessed"),
        ("abcdefghijklmnopqrstuvwxyz", "could be guessed"),
    ],
)
def test_a_weak_seed_is_doubted(seed: str, doubt: str) -> None:
    assert doubt in seed_doubt(seed)


@pytest.mark.parametrize(
    "seed", ["9f86d081884c7d659a2f", "7402918365520471", "a secret of this term", "été à la mer 1789"]
)
def test_a_seed_that_says_enough_is_not(seed: str) -> None:
    assert seed_doubt(seed) == ""


def test_a_seed_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AUTOGRADER_SEED", raising=False)
    file = tmp_path / ".autograder-seed"
    for content in ("\ufeffof this term \r\n\n", "of this term"):
        file.write_text(content, encoding="utf-8")
        assert term_seed(tmp_path) == "of this term"
    file.write_text("of this term\nof last term\n", encoding="utf-8")
    with pytest.raises(CourseError, match=r"\.autograder-seed holds several lines: a seed is one line"):
        term_seed(tmp_path)
    monkeypatch.setenv("AUTOGRADER_SEED", "of this term\nof last term")
    with pytest.raises(CourseError, match="AUTOGRADER_SEED holds several lines"):
        term_seed(tmp_path)


def test_a_seed_is_stretched() -> None:
    assert stretched("spring") != stretched("Spring")
    assert "spring" not in stretched("spring")
    assert len(stretched("spring")) == 128
