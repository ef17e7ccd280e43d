"""``new``: an exercise of A2 written, filled in, audited and taken out again; a tiny a7 made and graded."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from autograder.cli import main
from autograder.missing import MARK

ROOT = Path(__file__).parents[1]
A2, HANDED_OUT = "solutions/a2_activations", "assignments/a2_activations"
ONE_NUMBER = 'Case("one number", lambda rng: inputs(rng.normal(size=(1, 1))))'
Edits = Mapping[str, list[tuple[str, str]]]

FILLED: Edits = {
    f"{A2}/activations.py": [
        ("FILL IN: what it computes, in one sentence.", "The softplus, entry by entry: a smooth form of ReLU."),
        ("FILL IN: the formula, and what happens at the edges that people ask about.", "It is log(1 + exp(x))."),
        ("x: FILL IN: shape and meaning.", "x: shape (N, C)."),
        ("FILL IN: shape and meaning.", "y, shape of x."),
        ("FILL IN: a section's title, as in §1 Activations.", "§1 Activations."),
        ('raise NotImplementedError("FILL IN: the answer")', "return np.log(1 + np.exp(x))"),
    ],
    f"{A2}/assignment.toml": [("  # FILL IN: the points", "")],
    f"{A2}/grading/cases.py": [
        ("FILL IN: what is particular here", "a matrix"),
        ("size=(4, 7)))),\n            ],", "size=(4, 7)))),\n                " + ONE_NUMBER + ",\n            ],"),
    ],
    f"{A2}/grading/misconceptions.py": [
        ("FILL IN: the mistake in a few words, for staff", "one left out"),
        ("FILL IN: what a teacher says about it, without giving the answer.", "A term is missing in the logarithm."),
        ("FILL IN: text that stands once in the definition, docstring included", "1 + np.exp(x)"),
        ("FILL IN: what a student writes in its place", "np.exp(x)"),
    ],
    f"{HANDED_OUT}/README.md": [("FILL IN: its section, as in §1", "§1")],
    f"{HANDED_OUT}/tests/conventions.py": [('call("FILL IN: small arrays")', "call(X)")],
    f"{HANDED_OUT}/tests/softplus.py": [
        ("FILL IN: a question that leads to the mistake.", "What is it at 0?"),
        ('array([1.0, 2.0])), ["FILL IN: the answer"]', "array([[0.0]])), [[0.6931471805599453]]"),
    ],
}
AVERAGE: Edits = {
    "solutions/a7_averages/averages.py": [
        ("FILL IN: what it computes, in one sentence.", "The means of neighbors."),
        ("FILL IN: the formula, and what happens at the edges that people ask about.", "y[i] = (x[i] + x[i + 1]) / 2"),
        ("x: FILL IN: shape and meaning.", "x: shape (N, C)."),
        ("FILL IN: shape and meaning.", "y, shape (N - 1, C)."),
        ("FILL IN: a section's title, as in §1 Activations.", "§1 Means."),
        ('raise NotImplementedError("FILL IN: the answer")', "return (x[1:] + x[:-1]) / 2"),
        ("FILL IN: what this file is about", "Averages"),
        ("FILL IN: what the axes are called.", "Signals are (N, C)."),
    ],
    "solutions/a7_averages/grading/misconceptions.py": [
        ("FILL IN: the mistake in a few words, for staff", "sums"),
        (
            "FILL IN: what a teacher says about it, without giving the answer.",
            "This is a sum, and a mean was asked for.",
        ),
        ("FILL IN: text that stands once in the definition, docstring included", "(x[1:] + x[:-1]) / 2"),
        ("FILL IN: what a student writes in its place", "x[1:] + x[:-1]"),
    ],
}


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A copy of the course, of assignment 2 alone."""
    for half in ("solutions", "assignments"):
        ignored = shutil.ignore_patterns("__pycache__", "a[13456]_*")
        shutil.copytree(ROOT / half, tmp_path / "course" / half, ignore=ignored)
    shutil.copytree(ROOT / "data", tmp_path / "course" / "data")
    return tmp_path / "course"


@pytest.fixture
def run(course: Path) -> Callable[..., int]:
    def command(*arguments: str) -> int:
        for name in [name for name in sys.modules if name.startswith("grading_")]:
            del sys.modules[name]  # each command is a process of its own, and reads the files anew
        return main(["--course", str(course), *arguments])

    return command


def fill_in(course: Path, edits: Edits) -> None:
    for file, pairs in edits.items():
        text = (course / file).read_text(encoding="utf-8")
        for mark, filled in pairs:
            assert mark in text, (file, mark)
            text = text.replace(mark, filled, 1)
        (course / file).write_text(text, encoding="utf-8")


def contents(course: Path) -> dict[str, bytes]:
    return {
        path.relative_to(course).as_posix(): path.read_bytes()
        for path in sorted(course.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def cut(course: Path, file: str, start: str, end: str) -> None:
    """Delete what begins with ``start``, up to ``end``, which stays."""
    before, found, rest = (course / file).read_text(encoding="utf-8").partition(start)
    assert found
    (course / file).write_text(before + rest[rest.index(end) :], encoding="utf-8")


@pytest.mark.slow
def test_an_exercise_is_added_proven_and_taken_out(
    course: Path, run: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(course)
    assert run("new", "exercise", "a2", "softplus", "--after", "leaky_relu") == 0
    wrote = [line.removeprefix("wrote ") for line in capsys.readouterr().out.splitlines() if line.startswith("wrote ")]
    assert {file for file, content in contents(course).items() if content != before.get(file)} == {*wrote}
    assert {file for file in wrote if MARK in (course / file).read_text(encoding="utf-8")} == {*FILLED}

    assert run("build", "--check") == 1
    assert f"{HANDED_OUT}/tests/softplus.py:12 is not filled in: the answer" in capsys.readouterr().out
    assert run("audit", "a2") == 1
    assert f"{A2}/assignment.toml:15 is not filled in: the points." in capsys.readouterr().err

    fill_in(course, FILLED)
    assert run("build") == 0
    assert run("build", "--check") == 0
    handout = (course / HANDED_OUT / "README.md").read_text(encoding="utf-8")
    assert "| `leaky_relu`, `leaky_relu_backward` | 2 | §1 |\n| `softplus` | 1 | §1 |\n" in handout
    capsys.readouterr()
    assert run("audit", "a2", "--exercise", "softplus", "--jobs", "1", "--json") == 0
    (found,) = json.loads(capsys.readouterr().out).values()
    assert (found["misconceptions"], found["killed"], found["diagnosed"]) == (1, 1, 1)
    assert found["mutants"] == found["mutants_killed"] > 0

    cut(course, f"{A2}/assignment.toml", "softplus =", "leaky_relu_backward =")
    cut(course, f"{A2}/lab.py", '# %%\ngrader.check("softplus")', '# %%\ngrader.check("leaky_relu_backward")')
    cut(course, f"{HANDED_OUT}/README.md", "| `softplus`", "| `saturation_point`")
    cut(course, f"{A2}/activations.py", "def softplus(", "def leaky_relu_backward(")
    cut(course, f"{A2}/grading/cases.py", "SOFTPLUS = ", "EXERCISES = ")
    cut(course, f"{A2}/grading/cases.py", "    kept(SOFTPLUS),\n", "    kept(LEAKY_RELU_BACKWARD),")
    cut(course, f"{A2}/grading/misconceptions.py", '    Misconception(\n        "one left out"', "    Misconception(\n")
    (course / HANDED_OUT / "tests" / "softplus.py").unlink()
    assert run("build", "--check") == 1
    cut(course, f"{HANDED_OUT}/tests/conventions.py", '    "softplus": ', '    "leaky_relu_backward":')
    assert run("build") == 0
    assert contents(course) == before


@pytest.mark.slow
def test_a_tiny_assignment_is_made_and_graded(
    course: Path, run: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("new", "assignment", "a7", "averages") == 0
    assert run("build", "--check") == 1
    assert "assignments/a7_averages/README.md:1 is not filled in: the title" in capsys.readouterr().out
    assert run("new", "exercise", "a7", "neighbors") == 0
    fill_in(course, AVERAGE)
    for path in [*course.glob("*/a7_averages/*.*"), *course.glob("*/a7_averages/*/*.py")]:
        path.write_text(path.read_text(encoding="utf-8").replace(MARK, "What stands here"), encoding="utf-8")
    assert run("build") == 0
    assert run("build", "--check") == 0
    assert run("demo", "a7", "-o", str(tmp_path / "demo")) == 0
    submissions = [str(tmp_path / "demo" / "a7" / name) for name in ("ada.zip", "mo")]
    assert run("grade", "a7", *submissions, "-o", str(tmp_path / "out"), "--jobs", "1", "--seed", "public") == 0
    scores = {
        name: json.loads((tmp_path / "out" / name / "results.json").read_text(encoding="utf-8"))["score"]
        for name in ("ada", "mo")
    }
    assert scores == {"ada": 4, "mo": 0}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("exercise", "a2", "two words"),
            "'two words' is no name for an exercise: a function or a class is called so.",
        ),
        (("exercise", "a2", "relu"), "a2_activations has an exercise relu already."),
        (
            ("exercise", "a2", "swish", "--after", "LayerNorm"),
            "activations.py has no exercise LayerNorm; known: sigmoid,",
        ),
        (("exercise", "a2", "Swish"), "Swish begins with a capital letter: classes belong to the part with PyTorch"),
        (("exercise", "a9", "swish"), "There is no assignment 'a9'; known: a2_activations."),
        (("assignment", "a2", "swish"), "a2 is taken: a2_activations."),
        (("assignment", "a7", "random"), "A module random is there already: students could not import both."),
        (("assignment", "a7", "../up"), "'../up' is no topic: small letters, digits and underscores"),
        (("assignment", "7", "up"), "'7' is no short name such as a7."),
    ],
)
def test_what_cannot_be_made_is_said(
    arguments: tuple[str, ...],
    sentence: str,
    course: Path,
    run: Callable[..., int],
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = contents(course)
    assert run("new", *arguments) == 2
    assert sentence in capsys.readouterr().err
    assert contents(course) == before


@pytest.mark.parametrize(
    ("name", "arguments"), [("swish", ()), ("Gate", ("--torch",)), ("gated", ("--torch", "--after", "SigmoidFunction"))]
)
def test_what_is_written_can_be_read(
    name: str, arguments: tuple[str, ...], course: Path, run: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    """Every form of exercise is one at once, and only its marks are left."""
    assert run("new", "exercise", "a2", name, *arguments) == 0
    assert run("build") == 0
    capsys.readouterr()
    assert run("build", "--check") == 1
    said = [line for line in capsys.readouterr().out.splitlines() if not line.startswith("Remark: ")]
    assert said
    assert all(" is not filled in" in line for line in said), said


@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        ("lab.py", 'grader.check("tanh")', "", 'lab.py: there is no cell grader.check("tanh")'),
        ("grading/cases.py", '"relu",\n', '"elu",\n', "points.relu: there is no such exercise"),
        ("grading/misconceptions.py", '"sign_agreement",', '"relu",', "no mistake in sign_agreement is known"),
        (
            "activations.py",
            "np.maximum(x, 0)",
            "np.maximum(0, x)",
            "'np.maximum(x, 0)' stands 0 times in relu, not once",
        ),
        ("activations.py", "def tanh(", "def atanh(", "activations.py defines no tanh"),
        (
            "../../assignments/a2_activations/README.md",
            "## Exercises and points",
            "## Points",
            "README.md: there is no table",
        ),
        (
            "../../assignments/a2_activations/README.md",
            "| `softmax`, `softmax_backward` |",
            "| softmax |",
            "has no row for softmax",
        ),
    ],
)
def test_a_missing_piece_is_one_sentence(
    file: str,
    old: str,
    new: str,
    sentence: str,
    course: Path,
    run: Callable[..., int],
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = course / A2 / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    assert run("build", "--check") == 1
    assert sentence in capsys.readouterr().out


def test_a_missing_line_of_points_is_remarked(
    course: Path, run: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    cut(course, f"{A2}/assignment.toml", "tanh = ", "tanh_backward")
    assert run("build") == 0
    capsys.readouterr()
    assert run("build", "--check") == 0
    said = capsys.readouterr().out
    assert f"{A2}/assignment.toml: not graded, for want of a line below [points]: tanh." in said


def test_a_missing_visible_test_is_said(
    course: Path, run: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    (course / HANDED_OUT / "tests" / "tanh.py").unlink()
    assert run("build", "--check") == 1
    assert f"{HANDED_OUT}/tests/tanh.py, the visible test, is missing" in capsys.readouterr().out
