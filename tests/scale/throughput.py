"""How many submissions a second, beside otter and pytest: ``python tests/scale/throughput.py [a1 …] [--count 60]``.

Grades so many right submissions to each assignment (all) with one worker and with two, then one of them three times
with ``otter run`` and with pytest, and prints what each costs. CPU is that of all processes that took part, orphans
included. Nothing is asserted about seconds, only that everything gets full marks. Linux only; otter and pytest have
the visible tests only.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import nbformat
from nbformat.v4 import new_code_cell, new_notebook
from thousand import ROOT, adopt_orphans, bury, children_cpu, sources, write_zip

from autograder import course, loading

REPEATS = 3  # of otter and pytest


class Cost(NamedTuple):
    """Seconds of all processors together, and by the clock on the wall."""

    cpu: float
    wall: float


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("assignments", nargs="*")
    parser.add_argument("--count", type=int, default=60, metavar="N")
    options = parser.parse_args()
    adopt_orphans()
    for name in options.assignments or loading.find_assignments(ROOT):
        compare(loading.load(name, ROOT), options.count)
    return 0


def compare(assignment: course.Assignment, count: int) -> None:
    print(f"{assignment.name}\n")
    rows: list[tuple[str, Cost]] = []
    with tempfile.TemporaryDirectory(prefix="throughput-") as name:
        folder = Path(name)
        for workers in (1, 2):
            start = ours(assignment, folder, workers, workers)
            whole = ours(assignment, folder, count, workers)
            more = count - workers
            each = Cost((whole.cpu - start.cpu) / more, (whole.wall - start.wall) / more)
            print(f"  after start-up {1 / each.wall:.2f} submissions per second\n")
            rows.append((f"autograder, {workers} worker(s), after start-up", each))
            rows.append(
                (f"autograder, {workers} worker(s), {count} in all", Cost(whole.cpu / count, whole.wall / count))
            )
        rows.append(("otter run", average(otter(assignment, folder))))
        rows.append(("python -m pytest", average(pytest(assignment, folder))))
    unit = rows[0][1]
    print(f"\n{'per submission':<42}{'CPU s':>9}{'wall s':>9}{'CPU ratio':>11}{'wall ratio':>12}")
    for title, cost in rows:
        ratios = f"{cost.cpu / unit.cpu:>11.1f}{cost.wall / unit.wall:>12.1f}"
        print(f"{title:<42}{cost.cpu:>9.3f}{cost.wall:>9.3f}{ratios}")
    print(flush=True)


def ours(assignment: course.Assignment, folder: Path, count: int, workers: int) -> Cost:
    submissions, out = folder / f"class-{count}-{workers}", folder / f"out-{count}-{workers}"
    submissions.mkdir()
    for number in range(count):
        write_zip(submissions / f"s{number:04}.zip", sources(assignment, f"s{number:04}"))
    command = [
        sys.executable,
        "-m",
        "autograder",
        "grade",
        assignment.name,
        str(submissions),
        "-o",
        str(out),
        "--seed",
        "public",
    ]
    cost = measure([*command, "--jobs", str(workers)], ROOT)
    results = [json.loads(path.read_text(encoding="utf-8")) for path in out.glob("*/results.json")]
    assert len(results) == count
    assert all(test["status"] == "passed" for result in results for test in result["tests"])
    records = [json.loads(path.read_text(encoding="utf-8")) for path in out.glob("*/run.json")]
    judge, code = (mean(record[key] for record in records) for key in ("grader_cpu", "student_cpu"))
    print(f"{count} submission(s), {workers} worker(s): {cost.wall:.2f} s, CPU {cost.cpu:.2f} s; for each one")
    print(f"  the judge counts {judge:.3f} s of CPU for itself and {code:.3f} s for the code handed in", flush=True)
    return cost


def otter(assignment: course.Assignment, folder: Path) -> Callable[[], Cost]:
    """``otter run`` on a notebook that only imports the files handed in, which lie beside it: the least it can do."""
    work = folder / "otter"
    shutil.copytree(ROOT / "assignments" / assignment.name / "tests", work / "tests")
    files = ["checks", *(f"{name}.py" for name in assignment.references)]
    shutil.copytree(ROOT / "assignments" / assignment.name / "checks", work / "checks")
    for name, source in sources(assignment, "otter").items():
        (work / f"{name}.py").write_text(source, encoding="utf-8")
    cells = [new_code_cell("\n".join(f"import {name}" for name in assignment.references))]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(new_notebook(cells=cells, metadata=kernel), work / "submission.ipynb")
    program = [sys.executable, "-m", "otter"]
    subprocess.run([*program, "generate", "-t", "tests", "-o", "grader.zip", *files], cwd=work, check=True, stdout=-3)

    (work / "out").mkdir()

    def once() -> Cost:
        cost = measure([*program, "run", "-a", "grader.zip", "-o", "out", "--no-logo", "submission.ipynb"], work)
        tests = json.loads((work / "out" / "results.json").read_text(encoding="utf-8"))["tests"]
        graded = [test for test in tests if test.get("max_score")]
        assert len(graded) >= len(assignment.exercises)
        assert all(test["score"] == test["max_score"] for test in graded), graded
        return cost

    return once


def pytest(assignment: course.Assignment, folder: Path) -> Callable[[], Cost]:
    """``python -m pytest`` in the assignment's folder with everything solved."""
    work = folder / "pytest"
    shutil.copytree(ROOT / "assignments" / assignment.name, work)
    for name, source in sources(assignment, "pytest").items():
        (work / f"{name}.py").write_text(source, encoding="utf-8")
    return lambda: measure([sys.executable, "-m", "pytest"], work)


def average(once: Callable[[], Cost]) -> Cost:
    costs = [once() for _ in range(REPEATS)]
    return Cost(mean(cost.cpu for cost in costs), mean(cost.wall for cost in costs))


def measure(command: list[str], folder: Path) -> Cost:
    """One command from start to end, with all that it started."""
    before, start = children_cpu(), time.monotonic()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    wall = time.monotonic() - start
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    bury()
    return Cost(children_cpu() - before, wall)


if __name__ == "__main__":
    sys.exit(main())
