"""``new``: an exercise of A2 written, filled in, audited and taken out again; a tiny a7 made and graded."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from autograder.cli import main
from autograder.course import Conventions
from autograder.loading import find_assignments, load
from autograder.missing import MARK
from autograder.new.names import SHORT, TOPIC, check_exercise, check_topic

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
        (("exercise", "a2", "two words"), "it is no such word"),
        (("exercise", "a2", "größe"), "it is no such word"),
        (("exercise", "a2", "_swish"), "it is no such word"),
        (("exercise", "a2", "np"), "its file has it already"),
        (("exercise", "a2", "nn", "--torch"), "its file has it already"),
        (("exercise", "a2", "lambda"), "Python itself has it"),
        (("exercise", "a2", "print"), "Python itself has it"),
        (("exercise", "a2", "random"), "a module is called so, and students could not import both"),
        (("exercise", "a2", "checks"), "a module is called so, and students could not import both"),
        (("exercise", "a2", "provided"), "a module is called so, and students could not import both"),
        (("exercise", "a2", "tests"), "a module is called so, and students could not import both"),
        (("exercise", "a2", "activations"), "a module is called so, and students could not import both"),
        (("exercise", "a2", "equal"), "the visible tests import it"),
        (("exercise", "a2", "relu"), "an exercise is called relu"),
        (("exercise", "a2", "ReLU", "--torch"), "an exercise is called relu"),
        (("exercise", "a2", "Loaded", "--torch"), "its driver would be loaded, which is taken"),
    ],
)
def test_a_name_that_an_exercise_cannot_have_is_refused(
    arguments: tuple[str, ...], sentence: str, run: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("new", *arguments) == 2
    assert capsys.readouterr().err == (
        f"{arguments[2]!r} cannot name an exercise: {sentence}; allowed are letters, digits and underscores, a letter "
        "first, and no name that Python, a module, the file, its tests or another exercise has; such as softplus.\n"
    )


def test_the_names_of_the_course_are_such_as_new_allows() -> None:
    for assignment in (load(name, ROOT) for name in find_assignments(ROOT)):
        asked = [e.name for e in assignment.every_exercise if not isinstance(e, Conventions)]
        for name in asked:
            check_exercise(name, "", assignment.references, [other for other in asked if other != name])
        check_topic(assignment.name.partition("_")[2])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("exercise", "a9", "swish"), "There is no assignment 'a9'; known: a2_activations."),
        (
            ("exercise", "a2", "swish", "--after", "LayerNorm"),
            "activations.py has no exercise LayerNorm; known: sigmoid,",
        ),
        (("exercise", "a2", "Swish"), "Swish begins with a capital letter: classes belong to the part with PyTorch"),
        (("assignment", "a2", "swish"), f"'a2' cannot be a short name: a2_activations has it; {SHORT}."),
        (("assignment", "all", "swish"), f"'all' cannot be a short name: {SHORT}."),
        (("assignment", "7", "up"), f"'7' cannot be a short name: {SHORT}."),
        (("assignment", "a7", "random"), "'random' cannot be a topic: a module is called so, and students could not"),
        (("assignment", "a7", "checks"), f"could not import both; {TOPIC}."),
        (("assignment", "a7", "filter"), f"'filter' cannot be a topic: Python itself has it; {TOPIC}."),
        (("assignment", "a7", "../up"), f"'../up' cannot be a topic: it is no such word; {TOPIC}."),
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
    capsys.readouterr()
    assert run("build") == 0
    left = [line for line in capsys.readouterr().out.splitlines() if line.startswith("Left to do: ")]
    assert run("build", "--check") == 1
    said = [line for line in capsys.readouterr().out.splitlines() if not line.startswith("Remark: ")]
    assert said
    assert all(" is not filled in" in line for line in said), said
    assert left == [f"Left to do: {line}" for line in said]


def test_what_is_written_passes_the_linter(course: Path, run: Callable[..., int]) -> None:
    """Names as long as some of the course's, too: no line may become too long."""
    (course / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    news = [
        ("exercise", "a2", "softplus", "--after", "leaky_relu"),
        ("exercise", "a2", "a_gate_that_is_learned_by_itself", "--torch"),
        ("assignment", "a7", "convolutional_networks"),
        ("exercise", "a7", "the_moving_average_of_all_signals"),
        ("exercise", "a7", "moved", "--torch"),
        ("exercise", "a7", "MoverOfEverySignalAtOnce", "--torch"),
    ]
    for arguments in news:
        assert run("new", *arguments) == 0
        ours = ["--config", f"src = [{json.dumps(str(ROOT))}]"]  # where it knows the imports of autograder for ours
        for command in (["check", "--no-cache", *ours], ["format", "--diff", "--no-cache"]):
            done = subprocess.run(
                [sys.executable, "-m", "ruff", *command, "."], cwd=course, capture_output=True, text=True
            )
            assert done.returncode == 0, (arguments, done.stdout + done.stderr)


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


PLACES = {
    "solutions/a2_activations/activations.py": ["def zigzag_descent("],
    "solutions/a2_activations/lab.py": ['grader.check("zigzag_descent")'],
    "solutions/a2_activations/grading/alternatives.py": ['"zigzag_descent",'],
    "solutions/a2_activations/grading/cases.py": ["ZIGZAG_DESCENT = "],
    "solutions/a2_activations/grading/demo.py": ['unsolved=("zigzag_descent",)'],
    "solutions/a2_activations/grading/equivalents.py": ['TrivialAnswer("zigzag_descent"'],
    "solutions/a2_activations/grading/misconceptions.py": ['"zigzag_descent",'],
    "solutions/a2_activations/grading/promises.py": ['"zigzag_descent",', 'Promise("zigzag_descent"'],
    "assignments/a2_activations/README.md": ["| `zigzag_descent`", "**Write now** `sign_agreement`, `zigzag_descent`"],
    "assignments/a2_activations/README.zh.md": [
        "| `zigzag_descent`",
        "**现在就写** `zigzag_descent`",
        "--hint zigzag_",
    ],
    "assignments/a2_activations/tests/conventions.py": ['"zigzag_descent": call('],
    "assignments/a2_activations/tests/zigzag_descent.py": [],
    "tests/outsiders/a2/wrong/zigzag_descent-same_array.py": ["# zigzag_descent: ["],
}


def test_whatever_a_retired_exercise_leaves_behind_is_said(
    course: Path, run: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    """It is taken out of EXERCISES and has no points: every other place that names it is told with its line."""
    shutil.copytree(ROOT / "tests" / "outsiders" / "a2" / "wrong", course / "tests" / "outsiders" / "a2" / "wrong")
    cut(course, f"{A2}/assignment.toml", "zigzag_descent =", "softmax =")
    cut(course, f"{A2}/grading/cases.py", "    kept(ZIGZAG_DESCENT),", "\n")
    demo, equivalents = (course / A2 / "grading" / f"{name}.py" for name in ("demo", "equivalents"))
    text = demo.read_text(encoding="utf-8")
    demo.write_text(text.replace('("ada", "zip")', '("ada", "zip", unsolved=("zigzag_descent",))'), encoding="utf-8")
    with equivalents.open("a", encoding="utf-8") as file:
        file.write("\n\nfrom autograder.course import TrivialAnswer\n\n")
        file.write('TRIVIAL = (TrivialAnswer("zigzag_descent", "path", "None", "why"),)\n')
    (course / HANDED_OUT / "README.zh.md").write_text(
        "**现在就写** `zigzag_descent`。`elsewhere`\n\n--hint zigzag_descent\n\n"
        "## 练习与分值\n| `zigzag_descent` | 4 | §3 |\n",
        encoding="utf-8",
    )
    assert run("build", "--check") == 1
    said = capsys.readouterr().out
    for file, marks in PLACES.items():
        lines = (course / file).read_text(encoding="utf-8").splitlines()
        numbers = [n for n, line in enumerate(lines, start=1) if any(mark in line for mark in marks)]
        assert numbers or not marks, file
        found = [line for line in said.splitlines() if "zigzag" in line.lower() and line.startswith(f"{file}:")]
        assert [line.split(": ")[0] for line in found] == [*(f"{file}:{n}" for n in numbers)] or [file], file
    assert "elsewhere" not in said


@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        (
            "misconceptions",
            '"tanh_backward",',
            '"tanh_backwards",',
            "no exercise is called tanh_backwards (do you mean",
        ),
        ("alternatives", '"cross_entropy",', '"crossentropy",', "no exercise is called crossentropy (do you mean"),
        ("promises", '"tanh_backward"', '"tanh_back"', "no exercise is called tanh_back (do you mean tanh_backward?)"),
        ("equivalents", '"zigzag_descent"', '"zigzag"', "no function or class of the references is called zigzag"),
        ("cases", '"batch_norm_modes"', '"batch_norm_mode"', "no function of drivers.py is called batch_norm_mode"),
        ("drivers", "def batch_norm_modes(", "def batch_norm_mode(", "no case is put by batch_norm_mode"),
        ("demo", '"fay", "py", changes=("', '"fay", "py", changes=("not ', "no mistake or alternative is called not"),
        ("demo", '("batch_norm_backward"', '("batch_norm_back"', "no exercise is called batch_norm_back (do you mean"),
        ("demo", 'NUMPY, TORCH = "activations"', 'NUMPY, TORCH = "activation"', "no part is called activation (do you"),
        ("demo", "CLASS = (", "MEMBERS = (", "demo.py defines no CLASS"),
        ("demo", "CLASS = (", "CLASS = (1 / 0,", "cannot be loaded: ZeroDivisionError: division by zero"),
    ],
)
def test_a_name_of_nobody_is_said_with_file_and_line(
    file: str,
    old: str,
    new: str,
    sentence: str,
    course: Path,
    run: Callable[..., int],
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = course / A2 / "grading" / f"{file}.py"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    assert run("build", "--check") == 1
    said = [line for line in capsys.readouterr().out.splitlines() if sentence in line]
    assert said
    if "CLASS" not in sentence:
        assert re.search(rf"grading/{file}\.py(:\d+:|, line \d+,) ", said[0]), said


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
