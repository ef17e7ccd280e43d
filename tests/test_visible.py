"""What students run: the visible tests in both runners, what the terminal shows, and the helpers behind it."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from autograder import course, loading, visible
from autograder.build import HELPERS, handed_out
from autograder.decimals import total
from autograder.source import definition, replace_definition

ROOT = Path(__file__).parents[1]
STUDENT = ROOT / "autograder" / "student"
ASSIGNMENTS = loading.find_assignments(ROOT)
# Otter's checks run in every lab too (test_labs.py): what it says of each criterion is looked at in these.
UNDER_OTTER = [
    pytest.param(name, marks=() if name in ("a1_convolution", "a4_rnn") else pytest.mark.long) for name in ASSIGNMENTS
]

CHECK_ALL = """
import json, os, sys
import otter

results = {}
for folder in sys.argv[1:]:
    os.chdir(folder)
    sys.path[0] = folder
    for name in [name for name in sys.modules if name.split(".")[0] == "checks"]:
        del sys.modules[name]
    checked = otter.Notebook(tests_dir="./tests").check_all().results
    results[folder] = {
        exercise: [(r.test_case.name, r.test_case.points, r.passed, r.message) for r in file.test_case_results]
        for exercise, file in checked.items()
    }
print(json.dumps(results))
"""


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """pytest as a student starts it, far from the environment of this test."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "COLUMNS"))}
    command = [sys.executable, "-m", "pytest", *arguments]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, encoding="utf-8", timeout=120)


@pytest.fixture(scope="module", params=ASSIGNMENTS)
def assignment(request: pytest.FixtureRequest) -> course.Assignment:
    return loading.load(request.param, ROOT)


@pytest.fixture(scope="module")
def folders(assignment: course.Assignment, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The assignment as handed out, and the same with the references in place of the stubs."""
    untouched, solved = (tmp_path_factory.mktemp(name) / assignment.name for name in ("untouched", "solved"))
    for folder in (untouched, solved):
        shutil.copytree(ROOT / "assignments" / assignment.name, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for module, source in assignment.references.items():
        (solved / f"{module}.py").write_text(source, encoding="utf-8")
    return untouched, solved


def by_otter(*folders: Path) -> list[dict[str, list[Any]]]:
    """exercise -> (criterion, points, passed, message) of each test case, for each folder."""
    command = [sys.executable, "-c", CHECK_ALL, *map(str, folders)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True, timeout=120)
    results = json.loads(done.stdout.splitlines()[-1])
    return [results[str(folder)] for folder in folders]


@pytest.fixture(scope="module")
def otter(folders: tuple[Path, Path]) -> list[dict[str, list[Any]]]:
    """What otter says of both folders."""
    return by_otter(*folders)


def everything(assignment: course.Assignment) -> dict[str, dict[str, float]]:
    """exercise -> criterion -> points, in the order of the references; 0 where an exercise is dropped."""
    exercises: tuple[course.Exercise, ...] = loading.grading_module(assignment.name, ROOT, "cases").EXERCISES
    return {e.name: {c.name: assignment.points.get(e.name, {}).get(c.name, 0) for c in e.criteria} for e in exercises}


def table(assignment: course.Assignment, status: str, share: int) -> str:
    """The terminal output where every exercise has the same status."""
    bonus = {exercise.name for exercise in assignment.exercises if exercise.bonus}
    points = {
        name + ("" if (most := total(paid.values())) else " (not graded)") + " (bonus)" * (name in bonus): most
        for name, paid in everything(assignment).items()
    }
    scores = [f"{share * p:.12g}/{p:.12g}" for p in points.values()]
    width, column = max(map(len, points)), max(5, *map(len, scores))  # wide enough for "10/10"
    lines = [f"{name:{width}}  {score:>{column}}  {status}" for name, score in zip(points, scores, strict=True)]
    return "\n".join(
        [
            "",
            *lines,
            "",
            f"Total: {share * total(points.values()):.12g}/{assignment.max_score:.12g} points in the visible tests. "
            "Grading uses other inputs.",
            "",
        ]
    )


def cases(junit: Path) -> dict[str, list[str]]:
    """exercise -> names of the test functions that pytest ran."""
    found: dict[str, list[str]] = {}
    for case in ElementTree.parse(junit).iter("testcase"):
        found.setdefault(case.attrib["classname"].split(".")[-1], []).append(case.attrib["name"])
    return found


def test_untouched_stubs_are_not_started_under_pytest(
    assignment: course.Assignment, folders: tuple[Path, Path], tmp_path: Path
) -> None:
    done = run(folders[0], f"--junitxml={tmp_path / 'junit.xml'}")
    assert done.stdout == table(assignment, "not started", 0)
    assert done.stderr == ""
    assert done.returncode == 1
    want = {exercise: [f"test_{name}" for name in criteria] for exercise, criteria in everything(assignment).items()}
    assert cases(tmp_path / "junit.xml") == want


def test_the_reference_passes_under_pytest(assignment: course.Assignment, folders: tuple[Path, Path]) -> None:
    done = run(folders[1])
    assert done.stdout == table(assignment, "passed", 1)
    assert done.returncode == 0


@pytest.mark.parametrize("assignment", UNDER_OTTER, indirect=True)
def test_untouched_stubs_are_not_started_under_otter(
    assignment: course.Assignment, otter: list[dict[str, list[Any]]]
) -> None:
    untouched, _ = otter
    for exercise, criteria in everything(assignment).items():
        assert [(name, points) for name, points, _, _ in untouched[exercise]] == list(criteria.items())
        for _, _, passed, message in untouched[exercise]:
            assert not passed
            assert message.splitlines()[-1] == "Failed: not started"
            assert len(message.splitlines()) == 4
    assert untouched.keys() == everything(assignment).keys()


@pytest.mark.parametrize("assignment", UNDER_OTTER, indirect=True)
def test_the_reference_passes_under_otter(assignment: course.Assignment, otter: list[dict[str, list[Any]]]) -> None:
    assert {passed for cases in otter[1].values() for _, _, passed, _ in cases} == {True}


def test_test_files_are_ascii_and_named_after_their_exercise(assignment: course.Assignment) -> None:
    paths = sorted((ROOT / "assignments" / assignment.name / "tests").glob("*.py"))
    assert {path.stem for path in paths} == everything(assignment).keys()
    bonus = {exercise.name for exercise in assignment.every_exercise if exercise.bonus}
    for path in paths:
        lines = path.read_text(encoding="ascii").splitlines()
        assert f'OK_FORMAT, name = False, "{path.stem}"' in lines
        assert ("bonus = True" in lines) is (path.stem in bonus)


def test_helpers_import_neither_torch_nor_otter(folders: tuple[Path, Path]) -> None:
    (path, *_) = sorted((folders[1] / "tests").glob("[a-z]*.py"))
    code = "import pytest, sys; pytest.main(sys.argv[1:]); print({'torch', 'otter'} & sys.modules.keys())"
    done = subprocess.run(
        [sys.executable, "-c", code, f"tests/{path.name}"], cwd=folders[1], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "set()"


# What the terminal shows, on exercises made up for it.

WORK = '''
def area(width, height):
    print("width is", width)
    return width + height


def volume(width, height, depth):
    return area(width, height) * deep


def mean(x):
    raise NotImplementedError("mean")


def spread(x):
    """Uses mean."""
    return ((x - mean(x)) ** 2).sum()


def halves(x):
    return x[1::2], x[::2]


def doubled(x):
    x *= 2


def twice(x):
    return x, 2 * x
'''

EXERCISES = {
    "area": """
        @criterion("values", 2.5, hint="Count the squares.")
        def test_values():
            equal(student("work").area(array([3.0, 2.0]), array([1.5, 3.0])), [4.5, 6.0])

        @criterion("errors", 1, hint="No side is negative.")
        def test_errors():
            raises(student("work").area, array([-1.0]), array([1.0]))
        """,
    "volume": """
        @criterion("values", 2, hint="Think of a box.")
        def test_values():
            equal(student("work").volume(1.0, 2.0, 3.0), 6)

        @criterion("errors", 1, hint="")
        def test_errors():
            raises(student("work").volume, -1.0, 1.0, 1.0)
        """,
    "mean": """
        @criterion("values", 1, hint="Divide.")
        def test_values():
            equal(student("work").mean(array([1.0, 2.0])), 1.5)
        """,
    "spread": """
        @criterion("values", 1, hint="Square.")
        def test_values():
            equal(student("work").spread(array([1.0, 2.0])), 0.5)
        """,
    "halves": """
        @criterion("even", 1, hint="Every second one.")
        def test_even():
            even, odd = unpack(student("work").halves(array([1.0, 2.0, 3.0])), "even", "odd")
            equal(even, [1, 3])

        @criterion("even_strided", 2, hint="Every second one of those.")
        def test_even_strided():
            unpack(student("work").halves(array([1.0, 2.0, 3.0])[::2]), "even", "odd")

        @criterion("three", 1, hint="One more.")
        def test_three():
            unpack(student("work").halves(array([1.0, 2.0])), "first", "second", "third")
        """,
    "doubled": """
        @criterion("values", 1, hint="Twice as much.")
        def test_values():
            equal(student("work").doubled(array([1.0, 2.0])), [2, 4])

        @criterion("type", 1, hint="It is as precise.")
        def test_type():
            equal(student("work").double(array([1.0, 2.0])), [2, 4])
        """,
    "twice": """
        bonus = True

        @criterion("first", 3, hint="The first is easy.")
        def test_first():
            equal(student("work").twice(1.0)[0], 1)

        @criterion("second", 1.5, hint="The second is not.")
        def test_second():
            equal(student("work").twice(1.0)[1], 1)
        """,
}

SHOWN = """
area           0/3.5
  values (2.5 points): The result differs first at [1]: got 5, expected 6 (1 of 2 entries differ).
      tests/area.py:7: equal(student("work").area(array([3.0, 2.0]), array([1.5, 3.0])), [4.5, 6.0])
      Hint: Count the squares.
      Run it alone: python -m pytest tests/area.py -k values
      It printed:
        width is [3. 2.]
  errors (1 point): Expected a ValueError, but the function returned an array of shape (1,) and dtype float64.
      tests/area.py:11: raises(student("work").area, array([-1.0]), array([1.0]))
      Hint: No side is negative.
      Run it alone: python -m pytest tests/area.py -k errors
      It printed:
        width is [-1.]
volume           0/3
  values (2 points): NameError: name 'deep' is not defined
      work.py:8: return area(width, height) * deep
      Hint: Think of a box.
      Run it alone: python -m pytest tests/volume.py -k values
      It printed:
        width is 1.0
  errors (1 point): Expected a ValueError, got NameError: name 'deep' is not defined
      work.py:8: return area(width, height) * deep
      Run it alone: python -m pytest tests/volume.py -k errors
      It printed:
        width is -1.0
mean             0/1  not started
spread           0/1  needs mean, which is not started
halves           2/4
  even (1 point): The result has shape (1,), expected (2,).
      tests/halves.py:8: equal(even, [1, 3])
      Hint: Every second one.
      Run it alone: python -m pytest tests/halves.py::test_even
  three (1 point): The result has length 2, expected 3: (first, second, third).
      tests/halves.py:16: unpack(student("work").halves(array([1.0, 2.0])), "first", "second", "third")
      Hint: One more.
      Run it alone: python -m pytest tests/halves.py -k three
doubled          0/2
  values (1 point): The result is None, expected an array of shape (2,): is a return statement missing?
      tests/doubled.py:7: equal(student("work").doubled(array([1.0, 2.0])), [2, 4])
      Hint: Twice as much.
      Run it alone: python -m pytest tests/doubled.py -k values
  type (1 point): work.py defines no double.
      tests/doubled.py:11: equal(student("work").double(array([1.0, 2.0])), [2, 4])
      Hint: It is as precise.
      Run it alone: python -m pytest tests/doubled.py -k type
  Note: doubled writes into its argument x, which must stay as it is: begin from an array of your own.
twice (bonus)  3/4.5
  second (1.5 points): The result is 2, expected 1.
      tests/twice.py:13: equal(student("work").twice(1.0)[1], 1)
      Hint: The second is not.
      Run it alone: python -m pytest tests/twice.py -k second

Total: 5/14.5 points in the visible tests. Grading uses other inputs.
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A folder like an assignment's, with exercises of many fates."""
    for name in ("conftest.py", "pytest.ini"):
        shutil.copy(STUDENT / name, tmp_path)
    shutil.copytree(STUDENT / "checks", tmp_path / "checks", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "work.py").write_text(WORK, encoding="utf-8")
    (tmp_path / "tests").mkdir()
    for name, tests in EXERCISES.items():
        header = f"""\
from numpy import array
from checks import criterion, equal, raises, student, unpack
OK_FORMAT, name = False, "{name}"
"""
        (tmp_path / "tests" / f"{name}.py").write_text(header + textwrap.dedent(tests), encoding="utf-8")
    return tmp_path


def test_what_a_failing_run_shows(shop: Path) -> None:
    done = run(shop)
    assert done.stdout == SHOWN
    assert done.stderr == ""
    assert done.returncode == 1


def test_otter_quotes_the_line_of_the_test_that_fails(shop: Path) -> None:
    (results,) = by_otter(shop)
    messages = "\n".join(message for cases in results.values() for *_, message in cases)
    quoted = set(re.findall(r"^Error at line (\d+) in test (\w+):\n +(.+)$", messages, re.MULTILINE))
    shown = {(line, name, code) for name, line, code in re.findall(r"tests/(\w+)\.py:(\d+): (.+)", SHOWN)}
    assert len(shown) == 7
    assert shown <= quoted


def test_otter_quotes_where_a_test_begins_that_did_not_run(shop: Path) -> None:
    source = 'def mean(x):\n    """The mean.\n\n    Forbidden: np.mean.\n    """\n    return np.mean(x)\n'
    (shop / "work.py").write_text(f"import numpy as np\n\n\n{source}", encoding="utf-8")
    ((_, _, passed, message),) = by_otter(shop)[0]["mean"]
    assert not passed
    assert 'Error at line 5 in test mean:\n  @criterion("values"' in message
    assert "It uses numpy.mean, which this exercise forbids" in message


def test_the_shown_command_runs_that_test_alone(shop: Path) -> None:
    commands = [line.split("python -m pytest ")[1] for line in SHOWN.splitlines() if "Run it alone" in line]
    assert len(commands) == 9
    for command in ("tests/halves.py::test_even", "tests/area.py -k errors"):
        assert command in commands
        done = run(shop, *command.split())
        assert done.stdout.count("Run it alone") == 1
        assert f"Run it alone: python -m pytest {command}\n" in done.stdout


@pytest.mark.parametrize("flag", ["-v", "--tb=long", "--tb=short"])
def test_tracebacks_are_to_be_had(shop: Path, flag: str) -> None:
    done = run(shop, "tests/volume.py", flag)
    assert "= FAILURES =" in done.stdout
    assert "work.py:8: " in done.stdout
    assert "Total:" not in done.stdout
    assert done.returncode == 1


NULL_ERROR = "SyntaxError" if sys.version_info >= (3, 11, 4) else "ValueError"


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("x = 1\ndef f(:\n", "work.py, line 2: SyntaxError: invalid syntax"),
        ("x = (1,\n", "work.py, line 1: SyntaxError: '(' was never closed"),
        (
            "\nimport absent_package\n",
            "work.py, line 2: absent_package is not there when this file is graded; "
            "use jaxtyping and numpy and the standard library.",
        ),
        ("import helper\n", "helper.py, line 3: ZeroDivisionError: division by zero"),
        ("exit(3)\n", "work.py, line 1: SystemExit: 3"),
        ("#\0", f"work.py: {NULL_ERROR}: source code string cannot contain null bytes"),
        (None, "There is no work.py in {folder}."),
    ],
    ids=["syntax", "parenthesis", "absent", "helper", "exit", "null", "missing"],
)
def test_a_module_that_cannot_be_imported_is_one_sentence(shop: Path, source: str | None, sentence: str) -> None:
    (shop / "helper.py").write_text("x = 0\n\ny = 1 / x\n", encoding="utf-8")
    (shop / "work.py").unlink()
    if source is not None:
        (shop / "work.py").write_text(source, encoding="utf-8")
    done = run(shop, "tests/mean.py", "tests/volume.py")
    assert done.stdout.splitlines()[1:4] == [
        "mean      0/1  cannot be imported",
        "volume    0/3  cannot be imported",
        f"Cannot be imported: {sentence.format(folder=shop)}",
    ]
    assert len(done.stdout.splitlines()) == 6
    assert done.returncode == 1


def test_a_broken_test_file_does_not_stop_the_others(shop: Path) -> None:
    (shop / "tests" / "mean.py").write_text("import absent_package\n", encoding="utf-8")
    done = run(shop, "tests/mean.py", "tests/area.py")
    assert done.stdout.splitlines()[1] == "area  0/3.5"
    assert "tests/mean.py cannot be read: ModuleNotFoundError: No module named 'absent_package'" in done.stdout
    assert done.returncode == 1


def test_only_the_end_of_a_long_print_is_shown(shop: Path) -> None:
    (shop / "work.py").write_text("def mean(x):\n    for i in range(900):\n        print(i)\n", encoding="utf-8")
    done = run(shop, "tests/mean.py")
    assert "        ...\n        880\n" in done.stdout
    assert "        879\n" not in done.stdout
    assert "        899\n" in done.stdout


def test_stopping_at_the_first_failure(shop: Path) -> None:
    done = run(shop, "-x", "tests/volume.py", "tests/mean.py")
    assert "mean      0/1  not run\n" in done.stdout
    assert run(shop, "-k", "no_such_test").stdout.split() == ["No", "test", "was", "selected."]


@pytest.mark.parametrize(
    ("got", "want"),
    [
        (np.array([1.0, 2.0]), [1, 2]),
        ([1.0, 2.0 + 1e-9], [1, 2]),
        (np.array([1e9, 0.5]), [1e9, 0]),
        (np.array([np.inf, 1.0]), [np.inf, 1]),
        (3, 3.0),
        (np.float32(0.5), 0.5),
        (np.True_, True),
        (np.zeros((0, 3)), np.ones((0, 3))),
        (np.array([1e-13]), [0]),
        (np.array([[1, 2]], np.uint8), [[1, 2]]),
    ],
    ids=str,
)
def test_equal_accepts(checks: ModuleType, got: Any, want: Any) -> None:
    checks.equal(got, want)


@pytest.mark.parametrize(
    ("got", "want", "message"),
    [
        (np.ones(3), np.ones((3, 1)), "The result has shape (3,), expected (3, 1)."),
        (np.ones((1, 3)), np.ones((2, 3)), "The result has shape (1, 3), expected (2, 3)."),
        (1.0, [1.0], "The result has shape (), expected (1,)."),
        (np.ones(2), np.array([True, True]), "The result has dtype float64, expected True or False."),
        (1, True, "The result has dtype int64, expected True or False."),
        (np.ones(2, complex), [1, 1], "The result has dtype complex128, expected real numbers."),
        (
            np.array([1.0, np.nan]),
            [1, 2],
            "The result differs first at [1]: got nan, expected 2 (1 of 2 entries differ).",
        ),
        (
            np.array([np.nan, 2.0]),
            [1, np.nan],
            "The result differs first at [0]: got nan, expected 1 (2 of 2 entries differ).",
        ),
        (np.array(2.0), np.nan, "The result is 2, expected nan."),
        (
            np.array([1e-6 + 5e-13]),
            [1e-6],
            "The result differs first at [0]: got 1.0000005e-06, expected 1e-06 (1 of 1 entries differ).",
        ),
        (
            np.array([[1.0, 2.0], [3.0, 4.5]]),
            [[1, 2], [3, 4]],
            "The result differs first at [1, 1]: got 4.5, expected 4 (1 of 4 entries differ).",
        ),
        (
            np.array([-np.inf]),
            [np.inf],
            "The result differs first at [0]: got -inf, expected inf (1 of 1 entries differ).",
        ),
        (2.00000001, 2, "The result is 2.00000001, expected 2."),
        (np.array([1e-11]), [0], "The result differs first at [0]: got 1e-11, expected 0 (1 of 1 entries differ)."),
        (
            np.array([0, 255], np.uint8),
            [1, 255],
            "The result differs first at [0]: got 0, expected 1 (1 of 2 entries differ).",
        ),
        (np.False_, True, "The result is False, expected True."),
        (None, [1], "The result is None, expected an array of shape (1,): is a return statement missing?"),
        (None, 1, "The result is None, expected a number: is a return statement missing?"),
        (object(), 1, "The result is of type object, expected a number."),
        ("one", 1, "The result is of type str, expected a number."),
        ({}, [1], "The result is of type dict, expected an array of shape (1,)."),
        ([1, None], [1, 2], "The result is of type list, expected an array of shape (2,)."),
        ([1j, 2], [1, 2], "The result is of type list, expected an array of shape (2,)."),
        (([1], [2, 3]), [1, 2], "The result is of type tuple, expected an array of shape (2,)."),
        (range(2), [0, 1], "The result is of type range, expected an array of shape (2,)."),
        (
            [[1], [2, 3]],
            [[1], [2]],
            "The result is a list whose rows differ in length, expected an array of shape (2, 1).",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_equal_rejects_in_words(checks: ModuleType, got: Any, want: Any, message: str) -> None:
    with pytest.raises(checks.Failed) as caught:
        checks.equal(got, want)
    assert str(caught.value) == message


class AlwaysEqual(np.ndarray):
    def __sub__(self, other: Any) -> Any:
        return np.zeros(self.shape)

    def __eq__(self, other: object) -> Any:
        return np.ones(self.shape, bool)


def test_equal_is_not_persuaded_by_the_object(checks: ModuleType) -> None:
    with pytest.raises(checks.Failed, match="got 1, expected 2"):
        checks.equal(np.ones(2).view(AlwaysEqual), [2, 2])


def test_has_dtype(checks: ModuleType) -> None:
    checks.has_dtype(np.ones(2, np.float32), np.float32)
    checks.has_dtype(np.float32(1), np.float32)
    with pytest.raises(checks.Failed, match="dx has dtype float64, expected float32"):
        checks.has_dtype(np.ones(2), np.float32, what="dx")
    with pytest.raises(checks.Failed, match="is of type list, expected an array of dtype uint8"):
        checks.has_dtype([1], np.uint8)


def test_equal_compares_tensors_with_tensors(checks: ModuleType) -> None:
    import torch

    ones = torch.ones(2, dtype=torch.float64, requires_grad=True)
    checks.equal(ones * 1, ones)
    with pytest.raises(checks.Failed, match=r"of shape \(2,\) and dtype float64, expected a tensor"):
        checks.equal(np.ones(2), ones)
    with pytest.raises(checks.Failed, match="got 1, expected 2"):
        checks.equal(ones, ones * 2)
    checks.equal([ones[0], ones[1]], [1, 1])  # one that wants a gradient cannot be made an array as it is
    checks.equal(ones.bfloat16(), ones)


def test_errors_in_files_that_were_handed_out_are_not_the_students(checks: ModuleType, tmp_path: Path) -> None:
    handed_out = {name for name in HELPERS if name.endswith(".py") and "/" not in name}
    assert set(checks.reading.OURS) == handed_out
    for name in handed_out:
        (tmp_path / name).write_text("1 / 0\n", encoding="utf-8")
        with pytest.raises(ZeroDivisionError) as caught:
            runpy.run_path(str(tmp_path / name))
        assert checks.reading.own_frames(caught.value) == []


def fails(error: Exception) -> None:
    raise error


def test_raises(checks: ModuleType) -> None:
    checks.raises(fails, ValueError("empty"))
    checks.raises(fails, np.exceptions.AxisError("a subclass"))
    with pytest.raises(NotImplementedError):
        checks.raises(fails, NotImplementedError("f"))
    with pytest.raises(checks.Failed, match="Expected a ValueError, got IndexError: 5"):
        checks.raises(fails, IndexError(5))
    with pytest.raises(checks.Failed, match="Expected a ValueError, but the function returned None"):
        checks.raises(print, end="")


def test_unpack(checks: ModuleType) -> None:
    assert checks.unpack([1, 2], "dx", "dw") == (1, 2)
    with pytest.raises(checks.Failed, match=r"of type int, expected a tuple \(dx, dw\)"):
        checks.unpack(1, "dx", "dw")
    with pytest.raises(checks.Failed, match=r"has length 1, expected 2: \(dx, dw\)"):
        checks.unpack((1,), "dx", "dw")


def test_integers_are_the_same_everywhere(checks: ModuleType) -> None:
    assert checks.integers(2, 3).tolist() == [[-3, 4, -4], [-3, 2, 1]]
    assert set(checks.integers(10, 9).ravel()) == set(range(-4, 5))


def test_student_is_read_afresh_and_leaves_imports_alone(
    checks: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    imported = ModuleType("work")
    monkeypatch.setitem(sys.modules, "work", imported)
    for value in (1, 2):  # within the resolution of file times, and of the same size
        source = f"""
from dataclasses import dataclass

@dataclass
class Point:
    x: "int" = {value}

y: Undefined.quoted = {value}
"""
        (tmp_path / "work.py").write_text("from __future__ import annotations\n" + source, encoding="utf-8")
        module = checks.student("work")
        assert module.Point().x == module.y == value
        assert module.__name__ == "work"
        assert sys.modules["work"] is imported
    (tmp_path / "work.py").write_text("y: Undefined = 1\n", encoding="utf-8")
    with pytest.raises(checks.NotImported, match="NameError"):  # annotations are evaluated unless the student says so
        checks.student("work")
    monkeypatch.delitem(sys.modules, "work")
    with pytest.raises(checks.NotImported):
        checks.student("work")
    assert "work" not in sys.modules


def test_a_function_of_the_students_may_define_a_dataclass(
    checks: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "work", raising=False)
    for value in (1, 2):
        source = f"""
from __future__ import annotations
from dataclasses import dataclass

def area(side):
    @dataclass
    class Square:
        side: int
        value: int = {value}
    return Square(side).side ** 2 + Square(side).value
"""
        (tmp_path / "work.py").write_text(source, encoding="utf-8")
        assert checks.student("work").area(3) == 9 + value
    monkeypatch.delitem(sys.modules, "work")


def test_the_dtype_of_the_first_element_alone(
    checks: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "work", raising=False)
    source = "import numpy as np\ndef run(x):\n    return {}, np.zeros(3)\n"
    calls = {"run": checks.call(np.ones(2))}
    (tmp_path / "work.py").write_text(source.format("x"), encoding="utf-8")
    checks.keeps_dtype("work", calls, first=["run"])
    with pytest.raises(checks.Failed, match="run returns float64 for float32 arguments"):
        checks.keeps_dtype("work", calls)
    (tmp_path / "work.py").write_text(source.format("x.astype(float)"), encoding="utf-8")
    with pytest.raises(checks.Failed, match="run returns float64 for float32 arguments"):
        checks.keeps_dtype("work", calls, first=["run"])
    (tmp_path / "work.py").write_text("def run(x):\n    return None\n", encoding="utf-8")
    checks.keeps_dtype("work", calls, first=["run"])  # its own test says so


COUNTER = 'self.register_buffer("num_batches_tracked", torch.tensor(0))', "self.num_batches_tracked = 0"
SPARE = "self.eps = eps\n", 'self.eps = eps\n        self.register_buffer("spare", torch.zeros(2))\n'


@pytest.mark.parametrize(("exercise", "change"), [("BatchNorm2d", COUNTER), ("LayerNorm", SPARE)])
def test_a_state_with_a_name_too_few_or_too_many_costs_what_it_costs_in_grading(
    exercise: str, change: tuple[str, str]
) -> None:
    """Its criterion of names: the rest is asked of a layer that is loaded as far as it can be, as hidden cases do."""
    a2 = loading.load("a2", ROOT)
    reference = a2.references["activations_torch"]
    assert definition(reference, exercise).count(change[0]) == 1
    text = replace_definition(reference, exercise, definition(reference, exercise).replace(*change))
    attempt = visible.Attempt("activations_torch", text, [exercise])
    (failed,) = visible.failures(a2, handed_out(ROOT, a2), [attempt])
    assert [*failed[exercise]] == ["parameters"]


def test_the_mistakes_that_no_hint_names_are_told_with_the_reason() -> None:
    a2 = loading.load("a2", ROOT)
    given = handed_out(ROOT, a2)
    known = visible.told(given[visible.MISTAKES])
    bank = [one for one in a2.misconceptions if one.exercise == "layer_norm_backward" and one.sentence in known]
    first, second, *_ = bank
    alike = dataclasses.replace(second, name="the same, said otherwise", sentence="Another sentence.")
    harmless = dataclasses.replace(second, name="none at all", new=second.old)
    few = course.Misconception("one number", "saturation_point", "A number.", "    return high\n", "    return 1.5\n")
    changed = dataclasses.replace(a2, misconceptions=[first, second, alike, harmless, few])
    assert {one.name: one.why for one in visible.untold(changed, given)} == {
        second.name: f"their answer to it is that to “{alike.name}”",
        alike.name: f"their answer to it is that to “{second.name}”",
        "none at all": "none of them fails",
        "one number": "what fails shows too few numbers to tell it by",
    }
    told = visible.mistakes(changed, given, None)
    assert visible.summary(changed, told).startswith("a2_activations: the visible tests tell 1 of 5 known mistakes")
