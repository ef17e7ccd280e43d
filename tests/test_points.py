"""Points are exact in every output, and the points that students read follow assignment.toml."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from autograder import loading
from autograder.build import build, stale
from autograder.course import Assignment, Criterion, Exercise, Part
from autograder.decimals import number, points, total
from autograder.overrides import Override, apply_overrides
from autograder.report import class_table, feedback_html, grades_csv
from autograder.restated import Restated, handout, visible_test
from autograder.results import CriterionResult, ExerciseResult, SubmissionResult, from_gradescope, to_gradescope

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2.0, "2"),
        (2.5, "2.5"),
        (0.0, "0"),
        (100.0, "100"),
        (10_000, "10000"),
        (9.233333333, "9.233333333"),
        (1e-09, "0.000000001"),
        (1 / 3, "0.333333333"),
        (0.1 + 0.2, "0.3"),
    ],
)
def test_points_are_written_as_a_person_would(value: float, text: str) -> None:
    assert points(value) == text


@pytest.mark.parametrize(
    "text", ["-1", "-0.5", "nan", "inf", "-inf", "1e9", "10000.1", "0.1234567891", "many", "", "1,5"]
)
def test_what_are_no_points(text: str) -> None:
    with pytest.raises(ValueError, match="is not a number of points"):
        number(text)


def test_points_are_kept_as_they_are_written() -> None:
    assert [json.dumps(number(text)) for text in ("4", "4.0", "4.50", "-0", "1e1", "9.233333333", " 0.1 ")] == [
        *("4", "4", "4.5", "0", "10", "9.233333333", "0.1")
    ]
    assert json.dumps(number(Decimal("0.10"))) == "0.1"


def test_totals_are_exact() -> None:
    assert json.dumps(total([0.1, 0.2])) == "0.3"
    assert json.dumps(total([0.1] * 10)) == "1"
    assert json.dumps(total([9.233333333, -9.2])) == "0.033333333"
    assert json.dumps(total([])) == "0"


def exact() -> SubmissionResult:
    """0.1 + 0.2 + 0.7 earned of 2.1 with a bonus of 0.3, as floats 1.0 and 2.0999999999999996."""
    won = ExerciseResult(
        "won", "part", "passed", tuple(CriterionResult(n, p, True) for n, p in [("a", 0.1), ("b", 0.2)])
    )
    lost = ExerciseResult("lost", "part", "failed", (CriterionResult("a", 0.7, True), CriterionResult("b", 1.1, False)))
    extra = ExerciseResult("extra", "part", "passed", (CriterionResult("a", 0.3, True),), bonus=True)
    return SubmissionResult("ann", "a9", "Trial", (won, lost, extra))


def test_every_output_holds_exact_decimals() -> None:
    result = apply_overrides(exact(), {"lost": Override("ann", "lost", 1.233333333, "accepted")})
    data = json.loads(json.dumps(to_gradescope(result)), parse_float=Decimal)
    assert str(data["score"]) == "1.833333333"
    assert [str(test["score"]) for test in data["tests"]] == ["0.1", "0.2", "0.7", "0", "0.533333333", "0.3"]
    assert data["tests"][4]["name"] == "lost: set to 1.233333333 points by the teacher"
    assert sum(test["score"] for test in data["tests"]) == data["score"]
    assert from_gradescope(json.loads(json.dumps(to_gradescope(result)))) == result
    _, row = csv.reader(io.StringIO(grades_csv([result])))
    assert row == ["ann", "1.833333333", "2.1", "0.3", "1.233333333", "0.3", "1.833333333", "0", "0", "graded", ""]
    assert "1.833333333/2.1" in class_table([result], 100, False)
    page = re.sub(r"<[^>]+>", "", feedback_html(result))
    assert "1.833333333 of 2.1 points" in page
    assert "1.233333333 / 1.8" in page
    assert not re.search(r"\d\.\d{10}", page)


# The numbers that students read.

CRITERIA = {"convolve": ("values", "errors"), "pad2d": ("zeros",), "col2im": ("values",), "im2col": ("values",)}
EXERCISES = [Exercise(n, "work", [Criterion(c, []) for c in cs], bonus=n == "col2im") for n, cs in CRITERIA.items()]


def assignment(**paid: dict[str, float]) -> Assignment:
    return Assignment(
        "a9_trial",
        "Trial",
        [Part("work", "numpy")],
        [exercise for exercise in EXERCISES if exercise.name in paid],
        paid,
        {},
        dropped=[exercise for exercise in EXERCISES if exercise.name not in paid],
    )


HINT = "Write the sum out by hand for i = 0, 1, 2: which products exist? How many i are there?!!"
TEST = f'''from checks import criterion

OK_FORMAT, name = False, "convolve"  # ½


@criterion("values", 3, hint="{HINT}")
def test_values() -> None:
    """criterion("values", 3)"""


@criterion("errors", 1, hint="None.")
def test_errors() -> None: ...
'''


def test_a_visible_test_gets_the_points_and_keeps_its_text() -> None:
    asked = assignment(convolve={"values": 0.25, "errors": 2})
    found = visible_test(asked, "convolve", TEST.encode())
    spread = f'@criterion(\n    "values", 0.25, hint="{HINT}"\n)'
    assert found.content.decode() == TEST.replace(f'@criterion("values", 3, hint="{HINT}")', spread).replace(
        '"errors", 1', '"errors", 2'
    )
    assert found.stale == (
        "convolve.values has 3, in assignment.toml it is 0.25",
        "convolve.errors has 1, in assignment.toml it is 2",
    )
    again = visible_test(asked, "convolve", found.content)
    assert (again.content, again.stale, again.unknown) == (found.content, (), ())
    back = visible_test(assignment(convolve={"values": 3, "errors": 1}), "convolve", found.content)
    assert back.content.decode() == TEST


def test_a_call_too_long_for_two_lines_has_a_line_for_each_argument() -> None:
    text = TEST.replace(HINT, HINT + "!" * 18)
    asked = assignment(convolve={"values": 3.125, "errors": 1})
    content = visible_test(asked, "convolve", text.encode()).content.decode()
    assert f'@criterion(\n    "values",\n    3.125,\n    hint="{HINT}{"!" * 18}",\n)\n' in content


def test_the_visible_test_of_a_dropped_exercise_has_no_points() -> None:
    found = visible_test(assignment(), "convolve", TEST.encode())
    assert re.findall(r'^@criterion\("\w+", (.+?),', found.content.decode(), re.MULTILINE) == ["0", "0"]


def test_what_no_number_can_mend_is_said() -> None:
    asked = assignment(convolve={"values": 3, "errors": 1})
    assert visible_test(asked, "convolv", TEST.encode()) == Restated(TEST.encode())  # a stranger's, which `named` says
    unnamed = TEST.replace('"errors", 1', '"error", 1').replace('"values", 3', '"values", points=3')
    assert visible_test(asked, "convolve", unnamed.encode()).unknown == (
        "convolve has no criterion error",
        'there is no @criterion("values", …) with a number',
        'there is no @criterion("errors", …) with a number',
    )
    (said,) = visible_test(asked, "convolve", b"def test_values(:\n").unknown
    assert said.startswith("it cannot be read: invalid syntax")
    assert handout(asked, "für".encode("latin-1")).unknown == ("it is not UTF-8 text",)


HANDOUT = """# Trial

| `convolve` | 9 | a table of something else |

## Exercises and points

| exercise | points | section |
|---|---|---|
| `convolve` | 1 | §1 |
| `pad2d`, `im2col` (PyTorch) | | §2 |
| `col2im` (bonus) | +4 | §2 |
| all | 1 | |

Read `convolve` first.

## The end

| `pad2d` | 9 |
"""


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("paid", "cells"),
    [
        (
            {"convolve": {"values": 0.1, "errors": 0.2}, "pad2d": {"zeros": 2}, "col2im": {"values": 0.5}},
            ["0.3", "2 (`im2col`: not graded)", "+0.5", "2.3, +0.5"],
        ),
        ({"convolve": {"values": 1, "errors": 0}}, ["1", "not graded", "not graded", "1"]),
        ({"col2im": {"values": 4}}, ["not graded", "not graded", "+4", "+4"]),
        ({"pad2d": {"zeros": 1}, "im2col": {"values": 1.5}}, ["not graded", "2.5", "not graded", "2.5"]),
    ],
)
def test_the_table_gets_the_points_and_keeps_its_text(
    paid: dict[str, dict[str, float]], cells: list[str], ends: str
) -> None:
    text = HANDOUT.replace("\n", ends)
    found = handout(assignment(**paid), text.encode())
    rows = [("`convolve`", "1"), ("`pad2d`, `im2col` (PyTorch)", ""), ("`col2im` (bonus)", "+4"), ("all", "1")]
    wanted = text.replace("(PyTorch) | |", "(PyTorch) |  |")
    for (title, had), cell in zip(rows, cells, strict=True):
        wanted = wanted.replace(f"| {title} | {had} | §", f"| {title} | {cell} | §")
    wanted = wanted.replace("| all | 1 | |", f"| all | {cells[-1]} | |")
    assert found.content.decode() == wanted
    assert found.stale == tuple(
        f"the row “{title}” has {had or 'nothing'}, in assignment.toml it is {cell}"
        for (title, had), cell in zip(rows, cells, strict=True)
        if had != cell
    )
    assert found.unknown == ()
    assert handout(assignment(**paid), found.content).stale == ()


def test_the_table_of_a_chinese_handout_gets_them_too() -> None:
    text = HANDOUT.replace("## Exercises and points", "## 练习与分值").replace("| all |", "| 合计 |")
    found = handout(assignment(convolve={"values": 3, "errors": 0.5}), text.encode()).content.decode()
    for row in ("| `convolve` | 3.5 |", "| `col2im` (bonus) | 不计分 |", "| 合计 | 3.5 |"):
        assert row in found


def test_rows_and_exercises_match() -> None:
    text = HANDOUT.replace("`convolve` | 1", "`polish` | 1")
    found = handout(assignment(convolve={"values": 3, "errors": 1}), text.encode())
    assert found.unknown == ("the table has no row for convolve",)
    assert handout(assignment(convolve={"values": 3, "errors": 1}), b"# Trial\n").unknown == ()


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course of assignment 1 whose points a teacher has changed: two exercises dropped, fractions, another bonus."""
    for folder in ("solutions", "assignments"):
        shutil.copytree(ROOT / folder / "a1_convolution", tmp_path / folder / "a1_convolution")
    (tmp_path / "data").symlink_to(ROOT / "data")
    settings = tmp_path / "solutions" / "a1_convolution" / "assignment.toml"
    text = settings.read_text(encoding="utf-8")
    for name, line in (
        ("convolve", "convolve = { values = 0.1, errors = 0.2 }\n"),
        ("col2im", "col2im = { values = 0.5 }\n"),
        ("pad2d", ""),
        ("nhwc_to_nchw", ""),
    ):
        text = re.sub(rf"^{name} = .*\n", line, text, flags=re.MULTILINE)
    settings.write_text(text, encoding="utf-8")
    return tmp_path


def test_after_a_change_of_points_build_says_what_is_stale_and_mends_it(course: Path) -> None:
    folder = course / "assignments" / "a1_convolution"
    said = stale(course)
    for sentence in (
        "tests/convolve.py: convolve.values has 3, in assignment.toml it is 0.1",
        "tests/pad2d.py: pad2d.errors has 1, in assignment.toml it is 0",
        "README.md: the row “`convolve`” has 4, in assignment.toml it is 0.3",
        "README.md: the row “`pad2d`” has 4, in assignment.toml it is not graded",
    ):
        assert f"assignments/a1_convolution/{sentence}" in said
    changed = {path.relative_to(folder).as_posix() for path in build(course)}
    tests = {f"tests/{name}.py" for name in ("convolve", "col2im", "pad2d", "nhwc_to_nchw")}
    assert changed - {"checks/mistakes.json"} == {"README.md", "README.zh.md", *tests}
    assert stale(course) == []
    formatted = [
        sys.executable,
        "-m",
        "ruff",
        "format",
        "--check",
        "--config",
        str(ROOT / "pyproject.toml"),
        str(folder),
    ]
    assert subprocess.run(formatted, capture_output=True).returncode == 0


def test_a_dropped_exercise_stays_an_exercise_and_its_answer_stays_here(course: Path) -> None:
    loaded = loading.load("a1", course)
    assert [exercise.name for exercise in loaded.dropped] == ["pad2d", "nhwc_to_nchw"]
    build(course)
    folder = course / "assignments" / "a1_convolution"
    for path in ("convolution.py", "convolution_torch.py"):
        assert (folder / path).read_bytes() == (ROOT / "assignments" / "a1_convolution" / path).read_bytes()
    for name in ("convolution", "convolution_torch"):
        (folder / f"{name}.py").write_text(loaded.references[name], encoding="utf-8")
    run = subprocess.run([sys.executable, "-m", "pytest"], cwd=folder, capture_output=True, text=True, encoding="utf-8")
    lines = run.stdout.splitlines()
    assert re.search(r"^convolve +0.3/0.3  passed$", run.stdout, re.MULTILINE)
    assert re.search(r"^pad2d \(not graded\) +0/0  passed$", run.stdout, re.MULTILINE)
    assert lines[-1].startswith("Total: 91.3/90.8 points")


def test_otter_accepts_fractions_and_exercises_without_points(course: Path) -> None:
    build(course)
    code = 'import otter; book = otter.Notebook(tests_dir="tests"); print(book.check("convolve"), book.check("pad2d"))'
    folder = course / "assignments" / "a1_convolution"
    run = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, encoding="utf-8")
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("Failed: not started") == 6
