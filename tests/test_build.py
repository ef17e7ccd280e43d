"""The generator: what a stub keeps and loses, how a lab becomes a notebook, which files are stale, and that no solution
reaches a student.
"""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from autograder import loading
from autograder.build import HELPERS, STUDENT, BuildError, build, notebook, stale
from autograder.cli import main
from autograder.stubs import stub

ROOT = Path(__file__).parents[1]
ASSIGNMENTS = loading.find_assignments(ROOT)

REFERENCE = '''"""Ships and their loads."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from itertools import accumulate, chain

import numpy as np

__all__ = ["LIMIT", "Ship", "heaviest", "loads", "rounded"]


# Used by LIMIT below, which is not graded.
def _doubled(value: float) -> float:
    return value * math.tau


LIMIT = _doubled(3.0)
_SECRET = np.arange(3)
_CARGO, _CREW = 3, 4  # nothing that remains names them
Load = float | int

# Graded from here on.


@functools.cache
def heaviest(
    values: tuple[Load, ...],  # in tons
    key: Callable[[Load], float] = lambda value: {0: 1.0}.get(0, value),
) -> dict[str, Load]:
    # an introduction that gives the answer away
    def inner(value: Load) -> float:
        """Not the docstring of heaviest."""
        return key(value)

    best = max(chain(values), key=inner)
    return {"best": best}
    # a conclusion that gives the answer away


# About the helper of loads:
# two lines.
def _prefixes(values: list[float]) -> list[float]:
    return list(accumulate(values)) + list(_SECRET)


def loads(values: list[float]) -> list[float]:
    """Running sums.

    Raises:
        ValueError: no values.
    """

    if not values:
        raise ValueError("no values")
    return _prefixes(values)


def rounded(value: float) -> int:
    """Given to students whole."""
    return round(_halved(value))


def _halved(value: float) -> float:
    return value / 2  # a comment that stays


class Ship(dict):  # a mapping
    """A ship."""

    wheels: int = 0
    _bilge = _CARGO

    def __init__(self, load: Load) -> None:
        super().__init__()
        self.load = load

    def _hidden(self) -> Load:
        return self.load

    @property
    def load_in_kilograms(self) -> float:
        """1 t is 1000 kg."""
        return 1000 * self._hidden()

    @staticmethod
    def _last() -> int:
        return 1
'''

STUB = '''# This file is yours: put your code where it raises NotImplementedError, then run "python -m checks".
"""Ships and their loads."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

__all__ = ["LIMIT", "Ship", "heaviest", "loads", "rounded"]


# Used by LIMIT below, which is not graded.
def _doubled(value: float) -> float:
    return value * math.tau


LIMIT = _doubled(3.0)
Load = float | int

# Graded from here on.


@functools.cache
def heaviest(
    values: tuple[Load, ...],  # in tons
    key: Callable[[Load], float] = lambda value: {0: 1.0}.get(0, value),
) -> dict[str, Load]:
    raise NotImplementedError("heaviest")


def loads(values: list[float]) -> list[float]:
    """Running sums.

    Raises:
        ValueError: no values.
    """
    raise NotImplementedError("loads")


def rounded(value: float) -> int:
    """Given to students whole."""
    return round(_halved(value))


def _halved(value: float) -> float:
    return value / 2  # a comment that stays


class Ship(dict):  # a mapping
    """A ship."""

    wheels: int = 0

    def __init__(self, load: Load) -> None:
        raise NotImplementedError("Ship.__init__")

    @property
    def load_in_kilograms(self) -> float:
        """1 t is 1000 kg."""
        raise NotImplementedError("Ship.load_in_kilograms")
'''

GRADED = ["heaviest", "loads", "Ship"]


def test_stub_keeps_what_students_need_and_nothing_else() -> None:
    assert stub(REFERENCE, GRADED) == STUB


@pytest.mark.parametrize(
    ("source", "remains"),
    [
        ("import os, sys\n\n\ndef f(x: sys.A):\n    os.abort()\n", "import sys\n\n\ndef f(x: sys.A):\n"),
        ("import a.b\nimport c.d as e\n\n\ndef f(x: a.b.C):\n    e()\n", "import a.b\n\n\ndef f(x: a.b.C):\n"),
        ("from a import (\n    b,\n    c,\n)\n\n\ndef f(x: c):\n    b()\n", "from a import c\n\n\ndef f(x: c):\n"),
        ("_A = int\n_B = list[_A]\n\n\ndef f(x: _B):\n    1\n", "_A = int\n_B = list[_A]\n\n\ndef f(x: _B):\n"),
        ("def f(x):\n    1\n\n\ndef _g():\n    f(1)\n    # end\n\n# after\n", "def f(x):\n"),
    ],
    ids=["import", "dotted import", "import over lines", "private aliases of a signature", "private at the end"],
)
def test_stub_trims_imports_and_private_names_by_use(source: str, remains: str) -> None:
    _, text = stub(source, ["f"]).split("\n", 1)
    assert text.startswith(remains + '    raise NotImplementedError("f")\n')
    assert "_g" not in text


def test_stub_names_what_it_cannot_find() -> None:
    with pytest.raises(ValueError, match="g"):
        stub("def f():\n    def g():\n        pass\n", ["f", "g"])
    with pytest.raises(ValueError, match="line 1"):
        stub("def f(): return 1\n", ["f"])


LAB = """# %% [markdown]
# # Ships
#
# Do *they* float?

# %%
# %load_ext autoreload
import numpy as np

harbour = np.load("data/harbour.npz")


# %%
def depth() -> float:
    return 1.5


# %%
grader.check("loads")  # bonus
"""
CELLS = [
    ("markdown", "# Ships\n\nDo *they* float?"),
    ("code", '%load_ext autoreload\nimport numpy as np\n\nharbour = np.load("data/harbour.npz")'),
    ("code", "def depth() -> float:\n    return 1.5"),
    ("code", 'grader.check("loads")  # bonus'),
]


def test_a_lab_becomes_a_notebook_without_outputs() -> None:
    text = notebook(LAB)
    book = nbformat.reads(text, as_version=nbformat.NO_CONVERT)
    nbformat.validate(book)
    assert [(cell.cell_type, cell.source) for cell in book.cells] == CELLS
    assert [cell.id for cell in book.cells] == ["cell-01", "cell-02", "cell-03", "cell-04"]
    assert all(cell.metadata == {} for cell in book.cells)
    assert all(cell.outputs == [] and cell.execution_count is None for cell in book.cells[1:])
    assert book.metadata.keys() == {"kernelspec", "language_info"}
    assert book.metadata.kernelspec.name == "python3"
    assert text == notebook(LAB)
    assert text.endswith("}\n")
    assert "\r" not in text


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A course of one assignment with one graded function and a lab, as built."""
    folder = tmp_path / "solutions" / "a7_ships"
    folder.mkdir(parents=True)
    points = "".join(f"{name} = {{}}\n" for name in GRADED)
    (folder / "assignment.toml").write_text(f'title = "Ships"\n[points]\n{points}', encoding="utf-8")
    (folder / "grading").mkdir()
    for name in ("drivers", "demo"):
        (folder / "grading" / f"{name}.py").touch()
    for name in ("misconceptions", "alternatives", "equivalents", "promises"):
        (folder / "grading" / f"{name}.py").write_text(f"{name.upper()} = ()\n", encoding="utf-8")
    (folder / "grading" / "cases.py").write_text(CASES, encoding="utf-8")
    (folder / "ships.py").write_bytes(REFERENCE.encode())
    (folder / "lab.py").write_bytes(LAB.encode())
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "harbour.npz").write_bytes(b"\0\r\n")
    (tmp_path / "data" / "not_needed.npz").touch()
    (tmp_path / "solutions" / "drafts").mkdir()
    tests = tmp_path / "assignments" / "a7_ships" / "tests"
    tests.mkdir(parents=True)
    (tests / "loads.py").touch()
    build(tmp_path)
    return tmp_path


CASES = f"""from autograder.course import Exercise, Part

PARTS = (Part("ships", "numpy"),)
EXERCISES = tuple(Exercise(name, "ships", ()) for name in {GRADED!r})
"""
HANDED_OUT = "assignments/a7_ships"


def test_torch_stays_imported() -> None:
    assert "\nimport torch\n" in stub("import torch\n\n\ndef absolute(x):\n    return torch.abs(x)\n", ["absolute"])


def test_build_writes_what_changed_and_only_that(tiny: Path) -> None:
    folder = tiny / HANDED_OUT
    helpers = {"conftest.py", "course.mplstyle", "labkit.py", "pytest.ini"}
    names = helpers | {"lab.ipynb", "ships.py"}
    assert set(HELPERS) == helpers | {f"checks/{path.name}" for path in (STUDENT / "checks").glob("*.py")}
    assert {path.name for path in folder.iterdir() if path.is_file()} == names
    assert (folder / "lab.ipynb").read_bytes() == notebook(LAB).encode()
    assert {path.name: path.read_bytes() for path in (folder / "data").iterdir()} == {"harbour.npz": b"\0\r\n"}
    assert (folder / "ships.py").read_bytes() == STUB.encode()
    for name in HELPERS:
        header, text = (folder / name).read_bytes().split(b"\n", 1)
        assert header.startswith(f"# Generated from autograder/student/{name} ".encode())
        assert text == (ROOT / "autograder" / "student" / name).read_bytes()
    assert build(tiny) == []
    (folder / "ships.py").unlink()
    assert build(tiny) == [folder / "ships.py"]


def test_stale_is_empty_after_build(tiny: Path) -> None:
    folder = tiny / HANDED_OUT
    caches = ("tests/__pycache__/loads.pyc", "checks/__pycache__/loop.pyc")
    for by_hand in ("README.md", "README.zh.md", "figures/coverage.png", *caches):
        (folder / by_hand).parent.mkdir(exist_ok=True)
        (folder / by_hand).touch()
    assert stale(tiny) == []
    (folder / "tests" / "README.md").touch()
    assert stale(tiny) == [f"{HANDED_OUT}/tests/README.md is unexpected"]


def test_stale_sees_an_edit_by_hand(tiny: Path) -> None:
    with (tiny / HANDED_OUT / "ships.py").open("a", newline="\n") as file:
        file.write("\n")
    assert stale(tiny) == [f"{HANDED_OUT}/ships.py differs"]


def test_stale_sees_other_line_ends(tiny: Path) -> None:
    (tiny / HANDED_OUT / "pytest.ini").write_bytes(
        (tiny / HANDED_OUT / "pytest.ini").read_bytes().replace(b"\n", b"\r\n")
    )
    assert stale(tiny) == [f"{HANDED_OUT}/pytest.ini differs"]


def test_stale_sees_a_changed_signature_but_not_a_changed_body(tiny: Path) -> None:
    reference = tiny / "solutions" / "a7_ships" / "ships.py"
    mistakes = f"{HANDED_OUT}/checks/mistakes.json differs"  # whatever the change, what tests show is looked at again
    reference.write_text(REFERENCE.replace("best = max", "best = min"), encoding="utf-8")
    assert stale(tiny) == [mistakes]
    reference.write_text(REFERENCE.replace("def loads(values", "def loads(weights"), encoding="utf-8")
    assert sorted(stale(tiny)) == [mistakes, f"{HANDED_OUT}/ships.py differs"]


def test_stale_sees_a_changed_lab_and_its_data(tiny: Path) -> None:
    lab = tiny / "solutions" / "a7_ships" / "lab.py"
    lab.write_text(LAB.replace("1.5", "2.5"), encoding="utf-8")
    (tiny / "data" / "harbour.npz").write_bytes(b"1")
    (tiny / HANDED_OUT / "data" / "more.npz").touch()
    assert sorted(stale(tiny)) == [
        f"{HANDED_OUT}/checks/mistakes.json differs",
        f"{HANDED_OUT}/data/harbour.npz differs",
        f"{HANDED_OUT}/data/more.npz is unexpected",
        f"{HANDED_OUT}/lab.ipynb differs",
    ]


def test_a_lab_names_data_that_exists(tiny: Path) -> None:
    (tiny / "data" / "harbour.npz").unlink()
    with pytest.raises(BuildError, match=r"lab\.py reads data/harbour\.npz, which is not in "):
        build(tiny)


def test_without_jupytext_a_course_with_labs_is_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "jupytext", None)
    for arguments in (["build"], ["build", "--check"]):
        assert main(arguments) == 1
        assert capsys.readouterr() == (
            "",
            "Labs are made by jupytext, which is not installed: pip install -e '.[lab]'.\n",
        )


def test_stale_sees_a_deleted_file(tiny: Path) -> None:
    (tiny / HANDED_OUT / "checks" / "loop.py").unlink()
    assert stale(tiny) == [f"{HANDED_OUT}/checks/loop.py is missing"]


@pytest.mark.parametrize(
    "name", ["solution.py", "lab.py", "tests/conftest.py", "tests/__init__.py", "tests/more/loads.py", ".env"]
)
def test_stale_sees_an_unexpected_file(tiny: Path, name: str) -> None:
    (tiny / HANDED_OUT / name).parent.mkdir(exist_ok=True)
    (tiny / HANDED_OUT / name).touch()
    assert stale(tiny) == [f"{HANDED_OUT}/{name} is unexpected"]


def test_an_assignment_that_is_half_made_is_said_and_the_others_are_checked(tiny: Path) -> None:
    begun = tiny / "solutions" / "a8_tides"
    begun.mkdir()
    (begun / "assignment.toml").touch()
    (tiny / HANDED_OUT / "checks" / "loop.py").unlink()
    modules = ("cases", "drivers", "misconceptions", "alternatives", "equivalents", "promises", "demo")
    missing = [f"solutions/a8_tides/grading/{name}.py is missing" for name in modules]
    assert stale(tiny) == [f"{HANDED_OUT}/checks/loop.py is missing", *missing]
    with pytest.raises(BuildError, match=r"^solutions/a8_tides/grading/cases\.py is missing\.$"):
        build(tiny)
    for name in modules:
        (begun / "grading").mkdir(exist_ok=True)
        (begun / "grading" / f"{name}.py").write_text("import nowhere\n", encoding="utf-8")
    (problem,) = stale(tiny)[1:]
    assert problem.endswith(
        "a8_tides/grading/cases.py, line 1, cannot be loaded: ModuleNotFoundError: No module named 'nowhere'"
    )


def test_the_course_is_fresh() -> None:
    assert stale(ROOT) == []


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_stubs_raise_and_nothing_else(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "assignments" / name)
    monkeypatch.delitem(sys.modules, "provided", raising=False)
    for module, graded in loading.load(name, ROOT).graded_names().items():
        path = ROOT / "assignments" / name / f"{module}.py"
        spec = importlib.util.spec_from_file_location(module, path)
        assert spec is not None
        assert spec.loader is not None
        stubs = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(stubs)
        definitions = {
            node.name: node for node in ast.parse(path.read_text(encoding="utf-8")).body if hasattr(node, "name")
        }
        for function in graded:
            assert callable(getattr(stubs, function))
            node = definitions[function]
            methods = (
                [m for m in node.body if isinstance(m, ast.FunctionDef)] if isinstance(node, ast.ClassDef) else [node]
            )
            assert methods
            for method in methods:
                (body,) = [statement for statement in method.body if not isinstance(statement, ast.Expr)]
                assert ast.unparse(body).startswith(f"raise NotImplementedError('{function}")


def test_generated_files_pass_the_linter(tiny: Path) -> None:
    folders = [str(ROOT / "assignments"), str(tiny / HANDED_OUT)]
    config = ["--config", str(ROOT / "pyproject.toml")]
    for command in (["check", "--no-cache"], ["format", "--check", "--no-cache"]):
        run = subprocess.run(
            [sys.executable, "-m", "ruff", *command, *config, *folders], capture_output=True, text=True
        )
        assert run.returncode == 0, run.stdout + run.stderr


IDIOMS = {
    "super().__init__()",
    "with torch.no_grad():",
    "return loss, grads",
    "return inputs, labels",
    "for _ in range(steps):",
    "losses.append(loss)",
}


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_no_line_of_a_solution_reaches_students(name: str) -> None:
    handed_out = "\n".join(
        path.read_text(encoding="utf-8", errors="ignore")
        for path in [*(ROOT / "assignments" / name).rglob("*"), *ROOT.glob(f"solutions/{name}/lab.py")]
        if path.is_file() and "__pycache__" not in path.parts
    )
    for module, source in loading.load(name, ROOT).references.items():
        lines = secret_lines(source)
        assert len(lines) > 5, module
        assert [line for line in lines if line in handed_out and line not in IDIOMS] == []


def secret_lines(source: str) -> list[str]:
    """The lines of all function bodies but for docstrings, and those too short to say anything."""
    numbers: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            numbers |= {number for part in body for number in range(part.lineno, (part.end_lineno or 0) + 1)}
    lines = source.split("\n")
    return [line for number in sorted(numbers) if len(line := lines[number - 1].strip()) > 14]
