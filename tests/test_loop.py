"""The student's loop, ``python -m checks``: what it shows, where it stops, and that it sees what grading sees."""

from __future__ import annotations

import io
import itertools
import os
import re
import shutil
import subprocess
import sys
import textwrap
import time
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from autograder import loading, visible
from autograder.build import HELPERS, handed_out
from autograder.course import Assignment, CourseError
from autograder.patch import apply

ROOT = Path(__file__).parents[1]
STUDENT = ROOT / "autograder" / "student"

WORK = '''
import numpy as np


def half(x):
    """Halve.

    Forbidden: np.divide, np.fft.
    Handout: §1 Halves.
    """
    return x / 2


def quarter(x):
    """Uses your half."""
    if x.ndim != 1:
        raise ValueError("not a signal")
    return half(half(x))


def noise(x):
    raise NotImplementedError("noise")


def extra(x):
    raise NotImplementedError("extra")
'''
LATER = "def last(x):\n    return x\n"
TESTS = {
    "half": """
        @criterion("values", 2, hint="One of two.")
        def test_values():
            half = student("work").half
            equal(half(array([[8.0, 2.0], [4.0, 6.0]])), [[4, 1], [2, 3]])
            equal(half(array([4.0, 6.0])), [2, 3])
        """,
    "quarter": """
        @criterion("values", 3, hint="One of four.")
        def test_values():
            x = array([8.0, 4.0])
            equal(student("work").quarter(x), [2, 1])
            equal(student("work").quarter(x), [2, 1])

        @criterion("errors", 1, hint="Look at ndim.")
        def test_errors():
            raises(student("work").quarter, array([[1.0]]))
        """,
    "noise": """
        @criterion("values", 2, hint="Nothing.")
        def test_values():
            equal(student("work").noise(array([0.0, 3.0])), [0, 3])
        """,
    "extra": """
        bonus = True

        @criterion("values", 1, hint="Nothing.")
        def test_values():
            equal(student("work").extra(array([1.0])), [1])
        """,
    "last": """
        import torch

        @criterion("values", 2, hint="Nothing.")
        def test_values():
            equal(student("work_torch").last(torch.ones(2)), torch.ones(2))
        """,
}


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder like an assignment's, of two files; the first has two exercises done and two not."""
    folder = tmp_path / "desk"
    shutil.copytree(STUDENT / "checks", folder / "checks", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("conftest.py", "pytest.ini"):
        shutil.copy(STUDENT / name, folder)
    (folder / "tests").mkdir()
    for name, tests in TESTS.items():
        header = f"""\
from numpy import array
from checks import criterion, equal, raises, student
OK_FORMAT, name = False, "{name}"
"""
        (folder / "tests" / f"{name}.py").write_text(header + textwrap.dedent(tests), encoding="utf-8")
    (folder / "work.py").write_text(WORK, encoding="utf-8")
    (folder / "work_torch.py").write_text(LATER, encoding="utf-8")
    return folder


def change(desk: Path, old: str, new: str) -> None:
    path = desk / "work.py"
    source = path.read_text(encoding="utf-8")
    assert source.count(old) == 1
    path.write_text(source.replace(old, new), encoding="utf-8")


def quick(desk: Path) -> None:
    """Let a test be over after a second."""
    path = desk / "checks" / "limits.py"
    path.write_text(path.read_text(encoding="utf-8").replace("SECONDS = 20.0", "SECONDS = 1.0"), encoding="utf-8")


def python(desk: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    env = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "COLUMNS"))}
    env |= {"PYTHONIOENCODING": "utf-8", **more}
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=desk, env=env, capture_output=True, text=True, encoding="utf-8", errors="replace", timeout=300
    )


def checks_of(desk: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return python(desk, "-m", "checks", *arguments, **more)


def test_the_loop_stops_at_the_first_exercise_that_is_not_right(desk: Path) -> None:
    done = checks_of(desk)
    assert done.stdout == (
        "[██████████████████░░░░░░░░░░░░] 6/10 points, 2 of 5 exercises\n"
        "\n"
        "Next: noise (work.py, line 21)  0/2  not started\n"
        "  Write it where the file raises NotImplementedError, save, and run this again.\n"
        "\n"
        "work_torch.py comes after that, and has not been run: python -m checks --all runs everything.\n"
    )
    assert (done.stderr, done.returncode) == ("", 1)


def test_a_bonus_exercise_holds_nobody_up(desk: Path) -> None:
    change(desk, 'raise NotImplementedError("noise")', "return x")
    done = checks_of(desk)
    assert "10/10 points, 4 of 5 exercises" in done.stdout
    assert "Next: extra (bonus) (work.py" in done.stdout
    change(desk, 'raise NotImplementedError("extra")', "return x")
    done = checks_of(desk)
    assert done.stdout == (
        f"[{'█' * 30}] 11/10 points, 5 of 5 exercises\nAll visible tests pass. Grading uses other inputs.\n"
    )
    assert done.returncode == 0


def test_what_numpy_needs_imports_no_torch(desk: Path) -> None:
    change(desk, 'raise NotImplementedError("noise")', "return x")
    stub = 'def last(x):\n    """A docstring."""\n    raise NotImplementedError("last")\n'
    (desk / "work_torch.py").write_text(stub, encoding="utf-8")
    assert "Next: last (work_torch.py, line 1)  0/2  not started\n" in checks_of(desk).stdout
    code = "import sys, checks.__main__ as main; main.main([]); print({'torch', 'pytest', 'otter'} & {*sys.modules})"
    assert python(desk, "-c", code).stdout.splitlines()[-1] == "set()"


def test_the_culprit_is_named_and_what_stands_on_it_is_folded(desk: Path) -> None:
    change(desk, "return x / 2", "return x / 3")
    shown = checks_of(desk).stdout
    assert "Next: half (work.py, line 5; handout §1 Halves)  0/2\n" in shown
    assert "  Waiting for it: quarter.\n" in shown
    assert "One of four" not in shown
    alone = checks_of(desk, "quarter").stdout
    assert alone.startswith("quarter  1/4\n  values: calls your half, which is wrong: mend half first.\n")
    assert "Hint: One of four." in alone
    for done in (checks_of(desk, "--all"), python(desk, "-m", "pytest")):
        assert "\nquarter          1/4  calls your half, which is wrong: mend half first\n" in done.stdout


def test_no_one_else_is_blamed_for_an_error_of_ones_own(desk: Path) -> None:
    change(desk, "return x / 2", "return x / 3")
    change(desk, 'raise ValueError("not a signal")', "pass")
    assert "errors (1 point): Expected a ValueError" in checks_of(desk, "--all").stdout
    change(desk, "return half(half(x))", "return half(halve(x))")
    assert "values (3 points): NameError" in checks_of(desk, "--all").stdout


def test_a_forbidden_name_earns_nothing_as_in_grading(desk: Path) -> None:
    change(desk, "return x / 2", "return _by(x, 2)\n\n\ndef _by(x, n):\n    return np.divide(x, n)")
    sentence = "It uses numpy.divide, which this exercise forbids: no answer earns points."
    for done in (checks_of(desk, "half"), python(desk, "-m", "pytest", "tests/half.py")):
        assert "0/2" in done.stdout
        assert done.stdout.count(sentence) == 1
    assert sentence in checks_of(desk, "--hint", "half").stdout


ENDLESS = {
    "plain": """while True:
        pass""",
    "that catches every Exception": """while True:
        try:
            int("x")
        except Exception:
            pass""",
    "that catches everything once": """try:
        while True:
            pass
    except:
        pass
    while True:
        x = x""",
}


@pytest.mark.parametrize("loop", ENDLESS.values(), ids=ENDLESS)
def test_an_endless_loop_ends_and_the_next_test_runs(desk: Path, loop: str) -> None:
    quick(desk)
    change(desk, "return x / 2", loop)
    change(desk, "return half(half(x))", "return x / 4")
    for arguments in (["-m", "checks", "half", "quarter"], ["-m", "pytest", "tests/half.py", "tests/quarter.py"]):
        done = python(desk, *arguments)
        assert "half was still running after 1 s: is there a loop that never ends?\n      work.py:" in done.stdout
        assert re.search(r"quarter +4/4 +passed", done.stdout)


def test_a_test_that_passes_the_same_array_twice_is_not_spoiled(desk: Path) -> None:
    change(desk, "return half(half(x))", "x /= 4\n    return x")
    for done in (checks_of(desk, "quarter"), python(desk, "-m", "pytest", "tests/quarter.py")):
        assert re.search(r"quarter +4/4 +passed", done.stdout)
    assert "Note: quarter writes into its argument x" in python(desk, "-m", "pytest", "tests/quarter.py").stdout


def test_the_smallest_failing_example_with_its_numbers(desk: Path) -> None:
    change(desk, "return x / 2", "return x")
    assert checks_of(desk, "--hint", "half").stdout == textwrap.dedent("""\
        The smallest visible case that fails:
            half(x=array([4., 6.]))
        The result as it comes out:
            array([4., 6.])
        The result as it should be:
            array([2., 3.])
        """)
    change(desk, 'raise ValueError("not a signal")', "return x[0]")
    assert checks_of(desk, "--hint", "quarter").stdout.startswith(
        "The smallest visible case that fails:\n    quarter(x=array([[1.]]))\n"
    )
    change(desk, "    return x\n", "    return x[5]\n")
    assert "IndexError: index 5 is out of bounds" in checks_of(desk, "--hint", "half").stdout
    assert "noise  0/2  not started" in checks_of(desk, "--hint", "noise").stdout


def test_an_example_shows_functions_and_the_line_that_asks_a_helper(desk: Path) -> None:
    change(desk, "return x / 2", "return x(3.0)")
    path = desk / "tests" / "half.py"
    source = path.read_text(encoding="utf-8")
    asked = "    equal(student('work').half(lambda t: 2 * t), 3)\n"
    path.write_text(source[: source.index("    half = ")] + asked, encoding="utf-8")
    assert "    half(x=lambda t: 2 * t)\n" in checks_of(desk, "--hint", "half").stdout
    helper = (
        "def about(size):\n    got = student('work').half(lambda t: size)\n    equal(got + 1, 9, what='One more')\n\n\n"
    )
    source = (
        path.read_text(encoding="utf-8").replace("@criterion", f"{helper}@criterion").replace(asked, "    about(4)\n")
    )
    path.write_text(source, encoding="utf-8")
    assert checks_of(desk, "--hint", "half").stdout.startswith(
        "The smallest visible case that fails:\n    about(4)\nOne"
    )


def test_an_unknown_name_is_one_sentence(desk: Path) -> None:
    for arguments in (["halv"], ["--hint", "halv"]):
        done = checks_of(desk, *arguments)
        assert (done.stdout, done.stderr) == ("There is no exercise halv. Do you mean half?\n", "")
        assert done.returncode == 2


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_console_that_lacks_letters_gets_signs_for_them(desk: Path, encoding: str) -> None:
    change(desk, 'raise ValueError("not a signal")', 'raise TypeError("σ ≠ 1")')
    done = checks_of(desk, PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert done.stdout.startswith("[###############---------------] 5/10 points")
    assert "got TypeError: ? ? 1" in done.stdout
    assert done.stderr == ""


def test_colours_only_where_the_terminal_has_them(checks: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    from checks.console import Console  # type: ignore[import-not-found]
    from checks.report import Line  # type: ignore[import-not-found]

    class Terminal(io.StringIO):
        encoding = "utf-8"

        def isatty(self) -> bool:
            return True

    def written(stream: io.StringIO) -> str:
        Console(stream).write(Line("passed", "green"))
        return stream.getvalue()

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert written(Terminal()) == "\x1b[32mpassed\x1b[0m\n"
    assert written(io.StringIO()) == "passed\n"
    monkeypatch.setenv("NO_COLOR", "1")
    assert written(Terminal()) == "passed\n"


def test_without_watchfiles_a_sentence_says_how_to_get_it(desk: Path) -> None:
    code = "import sys; sys.modules['watchfiles'] = None; import checks.__main__ as m; sys.exit(m.main(['--watch']))"
    done = python(desk, "-c", code)
    assert (done.stdout, done.stderr) == ("--watch needs watchfiles: python -m pip install watchfiles.\n", "")
    assert done.returncode == 2


def test_watching_runs_again_on_every_save_and_ends_calmly(desk: Path) -> None:
    started = subprocess.Popen(
        [sys.executable, "-u", "-m", "checks", "--watch", "half"],
        cwd=desk,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert started.stdout is not None
    try:
        lines = []
        while not (lines and lines[-1].startswith("Watching ")):
            lines.append(started.stdout.readline())
        assert lines[0] == "half  2/2  passed\n"
        time.sleep(0.5)  # until the system has been told to watch
        change(desk, "return x / 2", "return x / 5")
        while not lines[-1].startswith("half  0/2"):
            lines.append(started.stdout.readline())
        assert "--- work.py saved ---\n" in lines
        started.send_signal(2)
        rest = started.communicate(timeout=60)[0]
        assert rest.endswith("\nStopped.\n")
        assert "Traceback" not in rest
        assert started.returncode == 0
    finally:
        started.kill()
        started.wait()


def test_a_file_that_never_ends_is_waited_for_once(desk: Path) -> None:
    quick(desk)
    with (desk / "work.py").open("a", encoding="utf-8") as file:
        file.write("\n\nwhile True:\n    pass\n")
    said = checks_of(desk, "half", "quarter").stdout
    assert said.count("half was still running after 1 s: is there a loop that never ends?\n      work.py:") == 1
    assert said.count("was still running") == 1
    assert "work.py does not come to its end: is there a loop outside of every function?" in said.split("quarter")[-1]


def test_a_save_during_the_first_run_is_seen(desk: Path) -> None:
    source = (desk / "work.py").read_text(encoding="utf-8")
    slow = source.replace("return x / 2", "return x / 5")
    (desk / "work.py").write_text(f"import time\n\ntime.sleep(3)\n{slow}", encoding="utf-8")
    command = [sys.executable, "-u", "-m", "checks", "--watch", "half"]
    with subprocess.Popen(command, cwd=desk, stdout=subprocess.PIPE, text=True, encoding="utf-8") as started:
        assert started.stdout is not None
        try:
            time.sleep(1.5)
            (desk / "work.py").write_text(source, encoding="utf-8")
            lines = list(itertools.takewhile(lambda line: line != "half  2/2  passed\n", started.stdout))
        finally:
            started.kill()
    assert lines[0].startswith("half  0/2")
    assert "--- work.py saved ---\n" in lines


def test_what_is_missing_is_said(desk: Path) -> None:
    whole = (desk / "work.py").read_text(encoding="utf-8")
    (desk / "work.py").write_text(whole.replace("def half(", "def halve("), encoding="utf-8")
    assert "\nNext: half  0/2" in (said := checks_of(desk).stdout)
    assert "work.py defines no half." in said
    (desk / "work.py").write_text("", encoding="utf-8")
    said = checks_of(desk).stdout
    assert "NotImplementedError" not in said
    assert "work.py defines no " in said
    shutil.rmtree(desk / "tests")
    for arguments in ((), ("--all",), ("half",)):
        done = checks_of(desk, *arguments)
        assert done.stdout == f"There are no tests in {desk / 'tests'}: take that folder from what was handed out.\n"
        assert (done.returncode, done.stderr) == (2, "")


def test_a_broken_file_is_one_sentence(desk: Path) -> None:
    change(desk, "return x / 2", "return x /")
    done = checks_of(desk)
    assert "Next: half (work.py, line 5; handout §1 Halves)  0/2  cannot be imported\n" in done.stdout
    assert "  work.py, line 11: SyntaxError: invalid syntax\n" in done.stdout
    assert done.stderr == ""


def test_every_helper_is_listed() -> None:
    assert {name for name in HELPERS if name.startswith("checks/")} == {
        f"checks/{path.name}" for path in (STUDENT / "checks").glob("*.py")
    }


# The gradient checker.


def affine(x: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, str]:
    return x @ w, "kept for later"


def test_right_gradients_pass(checks: ModuleType) -> None:
    x, w, dy = checks.waves(2, 3), checks.integers(3, 4), checks.waves(2, 4, of=np.cos)
    assert checks.gradient(affine, [x, w], [dy @ w.T, x.T @ dy], dy=dy) < 1e-8
    assert checks.gradient(lambda x: np.sum(x**3), [1e6], [3e12]) < 1e-8
    assert checks.gradient(affine, [x, w], [None, x.T @ np.ones((2, 4))]) < 1e-8
    assert checks.gradient(np.exp, [np.zeros((0,))], [np.zeros((0,))]) == 0
    x.flags.writeable = False
    checks.gradient(affine, [x, w], [dy @ w.T, None], dy=dy)


def test_gradients_with_respect_to_several_arrays_add_up(checks: ModuleType) -> None:
    x, first, second = checks.waves(2, 3), checks.waves(2, 3, of=np.cos), checks.integers(2)

    def both(x: np.ndarray) -> tuple[np.ndarray, np.ndarray, str]:
        return x**2, x.sum(axis=1), "kept for later"

    right = 2 * x * first + second[:, None]
    assert checks.gradient(both, [x], [right], dy=(first, second)) < 1e-8
    assert checks.gradient(both, [x], [right - 2 * x * first], dy=(None, second)) < 1e-8
    with pytest.raises(checks.Failed, match="The gradient of x"):
        checks.gradient(both, [x], [2 * x * first], dy=(first, second))
    with pytest.raises(ValueError, match=r"dy has shape \(2, 3\), and what is returned \(2,\)"):
        checks.gradient(both, [x], [right], dy=(first, first))
    with pytest.raises(ValueError, match="There are 4 arrays in dy, and 3 that are returned"):
        checks.gradient(both, [x], [right], dy=(first, second, None, None))


def test_the_worst_entry_of_a_wrong_gradient_is_named(checks: ModuleType) -> None:
    x, w = checks.integers(2, 3), checks.integers(3, 4)
    dx, dw = np.ones((2, 4)) @ w.T, x.T @ np.ones((2, 4))
    dw[2, 1] += 0.5
    dw[0, 0] += 0.01
    with pytest.raises(checks.Failed, match=r"The gradient of w\[2, 1\] is -2.5, by differences -3: off by 8.3e-02"):
        checks.gradient(affine, [x, w], [dx, dw])
    with pytest.raises(checks.Failed, match=r"The gradient of x has shape \(3, 2\), expected \(2, 3\)"):
        checks.gradient(affine, [x, w], [dx.T, dw])
    with pytest.raises(checks.Failed, match="is nan"):
        checks.gradient(affine, [x, w], [dx * np.nan, None])
    with pytest.raises(ValueError, match="2 arguments, and 1 gradients"):
        checks.gradient(affine, [x, w], [dx])


def layer(checks: ModuleType) -> dict[str, dict[str, np.ndarray]]:
    """Arguments for the calls of ``gradient`` in the handouts, by the names that they have there."""
    waves, cos = checks.waves, np.cos
    return {
        "a1": {"x": waves(2, 3, 4, 5), "w": waves(2, 3, 2, 3), "b": waves(2), "dy": waves(2, 2, 3, 3, of=cos)},
        "a2": {"x": waves(3, 5), "gamma": waves(5), "beta": waves(5), "dy": waves(3, 5, of=cos)},
        "a3": {"x": waves(3, 5), "w": waves(2, 5), "b": waves(2), "dy": waves(3, 2, of=cos)},
        "a4": {
            "x": waves(2, 3, 4),
            "h0": waves(2, 5),
            "U": waves(5, 4),
            "V": waves(5, 5),
            "b": waves(5),
            "dh": waves(2, 3, 5, of=cos),
        },
        "a5": {
            "x": waves(2, 3),
            "h": waves(2, 4),
            "c": waves(2, 4),
            "W": waves(16, 7),
            "b": waves(16),
            "dh": waves(2, 4, of=cos),
            "dc": waves(2, 4)[::-1],
        },
        "a6": {"q": waves(2, 3), "k": waves(4, 3), "v": waves(4, 5), "dy": waves(2, 5, of=cos)},
    }


BEFORE = {  # what a forward pass gives to the backward one
    "a4": "h = rnn_forward(x, h0, U, V, b)",
    "a5": "_, c_next, gates = lstm_step_forward(x, h, c, W, b)",
    "a6": "_, weights = scaled_dot_product_attention(q, k, v)",
}


@pytest.mark.parametrize("name", loading.find_assignments(ROOT))
def test_the_gradient_check_in_the_handout_holds_for_the_reference(checks: ModuleType, name: str) -> None:
    handout = (ROOT / "assignments" / name / "README.md").read_text(encoding="utf-8")
    (call,) = re.findall(r"```python\n(gradient\(.*?)```", handout, re.DOTALL)
    short = name.split("_")[0]
    assignment = loading.load(name, ROOT)
    module = ModuleType("reference")
    numpy_part = next(part.name for part in assignment.parts if part.runtime == "numpy")
    for provided, source in assignment.provided.items():
        sys.modules.pop(provided.removesuffix(".py"), None)
        Path(checks.__path__[0]).with_name(provided).write_text(source, encoding="utf-8")
    exec(compile(assignment.references[numpy_part], numpy_part, "exec", dont_inherit=True), vars(module))
    names = {**vars(module), **layer(checks)[short], "gradient": checks.gradient}
    exec(BEFORE.get(short, ""), names)
    assert eval(call, names) < 1e-7


# Known mistakes that a visible case shows.


@pytest.fixture(scope="module")
def a1() -> Assignment:
    return loading.load("a1", ROOT)


def with_mistake(a1: Assignment, folder: Path, *names: str) -> Path:
    """A student's folder of assignment 1 with the reference and mistakes of the bank."""
    shutil.copytree(ROOT / "assignments" / a1.name, folder, ignore=shutil.ignore_patterns("__pycache__", "figures"))
    for module, source in a1.references.items():
        (folder / f"{module}.py").write_text(source, encoding="utf-8")
    source = a1.references["convolution"]
    for name in names:
        source = apply(source, next(one for one in a1.misconceptions if one.name == name))
    (folder / "convolution.py").write_text(source, encoding="utf-8")
    return folder


def test_a_known_mistake_is_told_where_a_visible_case_shows_it(a1: Assignment, tmp_path: Path) -> None:
    folder = with_mistake(a1, tmp_path / "a1", "kernel not flipped")
    sentence = "Hint: Both indices run the same way here: that is cross-correlation."
    for done in (checks_of(folder, "convolve"), python(folder, "-m", "pytest", "tests/convolve.py")):
        assert sentence in done.stdout
        assert "Hint: Write the sum out" not in done.stdout
    path = folder / "convolution.py"
    nearly = path.read_text(encoding="utf-8").replace("    return y\n", "    return y * 1.001\n", 1)
    path.write_text(nearly, encoding="utf-8")
    assert "Hint: Write the sum out" in checks_of(folder, "convolve").stdout
    (folder / "checks" / "mistakes.json").write_text("{", encoding="utf-8")
    assert "Hint: Write the sum out" in checks_of(folder, "convolve").stdout


def test_rounding_changes_no_fingerprint_and_anything_else_does(checks: ModuleType) -> None:
    from checks.comparing import Differs  # type: ignore[import-not-found]
    from checks.mistakes import fingerprint  # type: ignore[import-not-found]

    def of(got: object, criterion: str = "values", what: str = "dx") -> str:
        return str(fingerprint(criterion, Differs("", what, got, np.zeros(3))))

    rng = np.random.default_rng(0)
    for _ in range(200):
        got = rng.integers(-9, 9, (2, 3)) / rng.choice([1, 2, 3, 8, 10])
        if len(np.unique(got)) > 1:
            assert of(got) == of(got * (1 + rng.uniform(-1e-12, 1e-12, got.shape))) == of(got.tolist()) != ""
            assert len({of(got), of(got.T), of(-got), of(2 * got), of(got, "errors"), of(got, what="dw")}) == 6
    for silent in (None, 3.5, True, [True, False], [0.0, 0.0], [2.0, 2.0], "text", [[1], [2, 3]]):
        assert of(silent) == ""
    assert of([1.0, np.nan]) not in ("", of([1.0, np.inf]))


def test_two_mistakes_that_look_alike_are_not_told(a1: Assignment, monkeypatch: pytest.MonkeyPatch) -> None:
    bank = a1.misconceptions
    looks = {"kernel not flipped": "1", "negative indices": "2", "as long as the signal": "2", "the middle alone": ""}
    found = [{one.exercise: {"values": looks.get(one.name, "")}} for one in bank]
    monkeypatch.setattr(visible, "failures", lambda *_: found)
    (sentence,) = visible.told(visible.mistakes(a1, handed_out(ROOT, a1), None))
    assert sentence.startswith("Both indices run the same way")


def test_known_mistakes_are_stale_when_something_that_decides_them_changes(a1: Assignment) -> None:
    given = handed_out(ROOT, a1)
    content = given[visible.MISTAKES]
    assert visible.is_fresh(a1, given, content)
    tests = given["tests/convolve.py"]
    points = tests.replace(b'criterion("values", 3,', b'criterion("values", 2.5,')
    assert points != tests
    assert visible.is_fresh(a1, given | {"tests/convolve.py": points}, content)
    assert not visible.is_fresh(a1, given | {"tests/convolve.py": tests.replace(b"[3, 10, 8]", b"[3, 10, 9]")}, content)
    assert not visible.is_fresh(replace(a1, misconceptions=a1.misconceptions[1:]), given, content)
    assert not visible.is_fresh(a1, given, content.replace(b"Both indices", b"The indices"))
    assert not visible.is_fresh(a1, given, b"{")


def test_a_mistake_that_breaks_the_tests_themselves_is_one_sentence(a1: Assignment) -> None:
    given = handed_out(ROOT, a1) | {"checks/running.py": b"1 / 0\n"}
    with pytest.raises(CourseError, match=r"a1_convolution: the visible tests cannot be run .*: ZeroDivisionError"):
        visible.failures(a1, given, [])


@pytest.mark.parametrize("name", [path.name for path in sorted((ROOT / "assignments").iterdir())])
def test_the_next_exercise_is_the_one_that_the_handout_says_to_write(name: str) -> None:
    folder = ROOT / "assignments" / name
    code = "from checks import loop, running; print(*(e.name for e in loop.by_section(running.declared())))"
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True)
    order = done.stdout.split()
    lines = re.findall(r"^(?:a line )?\*\*Write now\*\*.*", (folder / "README.md").read_text("utf-8"), re.MULTILINE)
    told = [word for line in lines for word in re.findall(r"`(\w+)`", line) if word in order]
    assert len(told) > len(order) / 2
    assert told == [exercise for exercise in order if exercise in told]
