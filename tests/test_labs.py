"""The labs, executed: with references every check passes and every experiment draws; with stubs each says why not."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
import pytest
from nbclient import NotebookClient

from autograder import course, loading
from autograder.cli import main
from autograder.student import labkit

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

    from tests.conftest import Once

ROOT = Path(__file__).parents[1]
A_FEW = ("a1_convolution", "a4_rnn")  # where all are exported or drawn alike
MOST = 20  # yardsticks of CPU that a lab may use with the references
YARDSTICK = """
import torch
from torch.nn.functional import conv2d
x, w = torch.ones(32, 6, 28, 28), torch.ones(16, 6, 5, 5, requires_grad=True)
for _ in range(200):
    conv2d(x, w).sum().backward()
"""

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Lab:
    """A lab after all its cells were run in a copy of the assignment's folder; ``cost`` in yardsticks, if solved."""

    assignment: course.Assignment
    folder: Path
    cells: list[Any]
    cost: float

    def checks(self) -> dict[str, Any]:
        """exercise -> the cell that checks it."""
        found = [
            (match[1], cell) for cell in self.cells if (match := re.match(r'grader\.check\("(\w+)"\)', cell.source))
        ]
        assert sorted(name for name, _ in found) == sorted(exercise.name for exercise in self.assignment.exercises)
        return dict(found)

    def experiments(self) -> list[Any]:
        return [cell for cell in self.cells if "with experiment():" in cell.source]


def cpu_of_children() -> float:
    """Seconds of CPU of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def yardstick() -> float:
    """Seconds of CPU that PyTorch takes here and now to be imported and to compute two hundred convolutions.

    In one thread, as the labs compute: on a busy machine several threads spend most of their time on one another.
    """
    before = cpu_of_children()
    subprocess.run([sys.executable, "-c", YARDSTICK], check=True, env=os.environ | {"OMP_NUM_THREADS": "1"})
    return cpu_of_children() - before


def some(names: Sequence[str]) -> list[ParameterSet]:
    """All of them under ``-m long``, otherwise ``A_FEW``."""
    return [pytest.param(name, marks=() if name in A_FEW else pytest.mark.long) for name in names]


def handed_out(name: str, solved: bool, folder: Path) -> Any:
    """Copy the assignment's folder to ``folder/lab``, with the references if ``solved``, and read the lab there."""
    lab = folder / "lab"
    shutil.copytree(ROOT / "assignments" / name, lab, ignore=shutil.ignore_patterns("__pycache__"))
    if solved:
        for module, source in loading.load(name, ROOT).references.items():
            (lab / f"{module}.py").write_text(source, encoding="utf-8")
    return nbformat.read(lab / "lab.ipynb", as_version=4)


def run(book: Any, folder: Path) -> None:
    """Execute the cells of a notebook in ``folder/lab``."""
    env = {key: value for key, value in os.environ.items() if key not in ("MPLBACKEND", "PYTHONPATH")}
    env["IPYTHONDIR"] = str(folder / "ipython")
    where = {"metadata": {"path": folder / "lab"}}
    NotebookClient(book, timeout=600, kernel_name="python3", resources=where).execute(env=env)


def cost_of_running(book: Any, folder: Path) -> float:
    """Run it; in yardsticks of CPU."""
    unit, before = yardstick(), cpu_of_children()
    run(book, folder)
    used = cpu_of_children() - before
    return used / max(unit, yardstick())


def execute(name: str, solved: bool, folder: Path) -> None:
    """Run the lab in a copy of the assignment's folder, and write down what came of it and what it cost if solved."""
    book = handed_out(name, solved, folder)
    if solved:
        (folder / "cost.txt").write_text(str(cost_of_running(book, folder)), encoding="utf-8")
    else:
        run(book, folder)
    nbformat.write(book, folder / "executed.ipynb")


@pytest.fixture(scope="module", params=loading.find_assignments(ROOT))
def solved(request: pytest.FixtureRequest, once: Once) -> Lab:
    return lab(request.param, True, once)


@pytest.fixture(scope="module", params=loading.find_assignments(ROOT))
def untouched(request: pytest.FixtureRequest, once: Once) -> Lab:
    return lab(request.param, False, once)


def lab(name: str, solved: bool, once: Once) -> Lab:
    folder = once(f"lab-{name}-{'solved' if solved else 'untouched'}", partial(execute, name, solved))
    cells = [cell for cell in nbformat.read(folder / "executed.ipynb", as_version=4).cells if cell.cell_type == "code"]
    cost = float((folder / "cost.txt").read_text(encoding="utf-8")) if solved else 0.0
    return Lab(loading.load(name, ROOT), folder / "lab", cells, cost)


def printed(cell: Any, stream: str = "stdout") -> str:
    return "".join(output.text for output in cell.outputs if output.get("name") == stream)


def shown(cell: Any, kind: str) -> list[str]:
    """What a cell displays of one kind, such as text/plain or image/png."""
    return [output.data[kind] for output in cell.outputs if kind in output.get("data", {})]


def test_with_the_references_every_experiment_draws(solved: Lab) -> None:
    assert solved.experiments()
    for cell in solved.experiments():
        assert "Not started" not in printed(cell)
        assert shown(cell, "image/png"), cell.source
    assert [printed(cell, "stderr") for cell in solved.cells if printed(cell, "stderr")] == []
    assert solved.cost < MOST


def test_with_the_references_every_check_passes(solved: Lab) -> None:
    for name, cell in solved.checks().items():
        assert shown(cell, "text/plain") == [f"{name} results: All test cases passed!"]


def test_bonus_exercises_are_marked(solved: Lab) -> None:
    marked = {name for name, cell in solved.checks().items() if cell.source.endswith("# bonus")}
    assert marked == {exercise.name for exercise in solved.assignment.exercises if exercise.bonus}


@pytest.mark.parametrize("solved", some(loading.find_assignments(ROOT)), indirect=True)
def test_the_exported_zip_earns_full_marks(solved: Lab, tmp_path: Path) -> None:
    name, points = solved.assignment.name, solved.assignment.points
    assert main(["grade", name, str(solved.folder / "submission.zip"), "-o", str(tmp_path), "--jobs", "1"]) == 0
    results = json.loads((tmp_path / "submission" / "results.json").read_text(encoding="utf-8"))
    assert results["score"] == sum(sum(criteria.values()) for criteria in points.values())


def test_with_stubs_every_experiment_names_an_unwritten_exercise(untouched: Lab) -> None:
    for cell in untouched.experiments():
        match = re.fullmatch(r"Not started yet: (\w+)\. .+\n", printed(cell))
        assert match, cell.outputs
        assert match[1] in untouched.checks()
        assert {output.output_type for output in cell.outputs} == {"stream"}, "something was shown"


def test_with_stubs_every_check_says_not_started(untouched: Lab) -> None:
    for name, cell in untouched.checks().items():
        assert shown(cell, "text/plain") == [f"{name}: not started"]
        assert shown(cell, "text/html") == [], "otter's page calls it a failure, in red"


WITH_SLIDER = [
    name
    for name in loading.find_assignments(ROOT)
    if "@slider(" in (ROOT / "solutions" / name / "lab.py").read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", some(WITH_SLIDER))
def test_without_ipywidgets_a_sentence_stands_for_the_slider(name: str, tmp_path: Path) -> None:
    book = handed_out(name, True, tmp_path)
    alone = [cell for cell in book.cells if cell.cell_type == "code" and not re.search(r"^grader\.", cell.source, re.M)]
    book.cells = [cell for cell in alone if "with experiment(" not in cell.source or "@slider(" in cell.source]
    # After the first cell, for otter imports ipywidgets itself.
    book.cells.insert(1, nbformat.v4.new_code_cell("import sys\nsys.modules['ipywidgets'] = None"))
    run(book, tmp_path)
    (cell,) = (cell for cell in book.cells if "@slider(" in cell.source)
    assert "ipywidgets is not installed" in printed(cell)
    assert shown(cell, "image/png")
    assert not shown(cell, "application/vnd.jupyter.widget-view+json")


def test_with_ipywidgets_the_slider_is_there(solved: Lab) -> None:
    sliders = [cell for cell in solved.experiments() if "@slider(" in cell.source]
    assert len(sliders) <= 1, "one idea a lab is worth a slider"
    for cell in sliders:
        assert shown(cell, "application/vnd.jupyter.widget-view+json")


def test_an_experiment_hides_only_unwritten_exercises(capsys: pytest.CaptureFixture[str]) -> None:
    with labkit.experiment():
        raise NotImplementedError("Conv2d.forward")
    assert capsys.readouterr().out.startswith("Not started yet: Conv2d. ")
    with pytest.raises(NotImplementedError, match="missing"), labkit.experiment():
        raise NotImplementedError('Module [Conv2d] is missing the required "forward" function')
    with pytest.raises(ZeroDivisionError), labkit.experiment():
        raise ZeroDivisionError
