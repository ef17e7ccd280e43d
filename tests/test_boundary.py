"""What is raised while a submission is graded, at whatever stage, makes that one not graded; the others are graded."""

from __future__ import annotations

import csv
import errno
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autograder import grade, grading, store, verdict, workers
from autograder.cli import main
from autograder.course import Criterion
from autograder.results import SCHEMA, to_gradescope
from autograder.sandbox.protocol import SandboxError
from autograder.sandboxes import Sandboxes
from autograder.workers import Grader

ROOT = Path(__file__).parent.parent
CLASS = 40
RIGHT = """import numpy as np

def convolve(x, h):
    if not len(x) * len(h):
        raise ValueError
    y = np.zeros(len(x) + len(h) - 1)
    for k, sample in enumerate(x):
        y[k : k + len(h)] += sample * h
    return y

def cross_correlate(x, h):
    return convolve(x, h)
"""
FAILURES = {
    "keeping": "What was handed in cannot be kept: No space left on device.",
    "reading": "The grader failed: RuntimeError.",
    "asking": "The sandbox is gone.",
    "comparing": "The grader failed: AssertionError.",
    "diagnosing": "The grader failed: IndexError.",
    "writing": "Results cannot be written: UnicodeEncodeError.",
}


def failing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each stage fail at the student who is named after it."""
    student = ""

    def when(stage: str, error: Exception, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            if student == stage:
                raise error
            return function(*args, **kwargs)

        return call

    read = workers.read

    def reading(name: str, *rest: Any) -> Any:
        nonlocal student
        student = name
        if student == "reading":
            raise RuntimeError("no such luck")
        return read(name, *rest)

    def written(result: Any) -> Any:
        if result.student == "writing":
            raise UnicodeEncodeError("utf-8", "\udcff", 0, 1, "surrogates not allowed")
        return to_gradescope(result)

    keep = grading.keep

    def keeping(attempt: Any, folder: Path) -> Any:
        if folder.name == "keeping":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return keep(attempt, folder)

    monkeypatch.setattr(grading, "keep", keeping)
    monkeypatch.setattr(workers, "read", reading)
    gone = SandboxError("The sandbox is gone.")
    monkeypatch.setattr(Sandboxes, "session", when("asking", gone, Sandboxes.session))
    monkeypatch.setattr(Criterion, "failure", when("comparing", AssertionError(), Criterion.failure))
    monkeypatch.setattr(verdict, "diagnose", when("diagnosing", IndexError(), verdict.diagnose))
    monkeypatch.setattr(store, "to_gradescope", written)
    monkeypatch.setattr(grading, "grade_tasks", lambda setting, tasks, _: map(Grader(setting).grade, tasks))


def test_each_stage_fails_for_one_of_forty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    students = [*FAILURES, *(f"s{n:02}" for n in range(CLASS - len(FAILURES)))]
    (tmp_path / "class").mkdir()
    for student in students:
        (tmp_path / "class" / f"{student}.py").write_text(RIGHT, encoding="utf-8")
    command = ["grade", "a1", str(tmp_path / "class"), "-o", str(tmp_path / "out"), "--seed", "public"]

    with monkeypatch.context() as patch:
        failing(patch)
        assert main(command) == 1
    table = capsys.readouterr().out
    with (tmp_path / "out" / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert rows.keys() == set(students)
    assert f"{CLASS - len(FAILURES)} of {CLASS} graded" in table
    for student, row in rows.items():
        if student in FAILURES:
            assert (row["score"], row["status"]) == ("", "not graded")
            assert row["notes"] == FAILURES[student]
            assert f"\n  {student}: {FAILURES[student]}" in table
            assert not (tmp_path / "out" / student / "results.json").exists()
        else:
            assert (row["score"], row["status"]) == ("4", "graded")
    record = json.loads((tmp_path / "out" / "comparing" / "run.json").read_text(encoding="utf-8"))
    assert "AssertionError" in record["not_graded"]["traceback"]

    assert main(["report", str(tmp_path / "out")]) == 1
    again = capsys.readouterr().out
    for student, reason in FAILURES.items():
        assert f"\n  {student}: {reason}" in again

    assert main(command) == 0  # what was not graded is graded now, and nothing else
    assert f"{CLASS} of {CLASS} graded" in capsys.readouterr().out


def test_the_last_grade_is_kept_aside_until_there_is_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "asking.py").write_text(RIGHT, encoding="utf-8")
    folder = tmp_path / "out" / "asking"
    command = ["grade", "a1", str(tmp_path / "asking.py"), "-o", str(tmp_path / "out"), "--seed", "public"]
    assert main(command) == 0
    before = (folder / "results.json").read_bytes()
    with monkeypatch.context() as patch:
        failing(patch)
        assert main([*command, "--regrade"]) == 1
        assert main([*command, "--regrade"]) == 1
    assert not (folder / "results.json").exists()
    assert (folder / store.EARLIER / "results.json").read_bytes() == before
    assert main(command) == 0
    assert (folder / "results.json").read_bytes() == before
    assert not (folder / store.EARLIER).exists()


def test_a_mistake_of_the_bank_that_no_longer_applies_costs_nobody_a_grade(tmp_path: Path) -> None:
    course = tmp_path / "course" / "solutions"
    shutil.copytree(ROOT / "solutions", course, ignore=shutil.ignore_patterns("__pycache__"))
    bank = course / "a1_convolution" / "grading" / "misconceptions.py"
    bank.write_text(bank.read_text(encoding="utf-8").replace('"enumerate(h)"', '"enumerate(gone)"'), encoding="utf-8")
    (tmp_path / "ann.py").write_text(RIGHT.replace("enumerate(x)", "enumerate(x[::-1])"), encoding="utf-8")
    result = grade("a1", tmp_path / "ann.py", course=tmp_path / "course", seed="public")
    assert result.infrastructure == ""
    assert result.exercises[0].points == 1


def test_results_of_a_newer_grader_are_not_called_damaged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "ann.py").write_text("", encoding="utf-8")
    assert main(["grade", "a1", str(tmp_path / "ann.py"), "-o", str(tmp_path / "out")]) == 0
    file = tmp_path / "out" / "ann" / "results.json"
    file.write_text(file.read_text(encoding="utf-8").replace(f'"schema": {SCHEMA}', '"schema": 99'), encoding="utf-8")
    assert main(["report", str(tmp_path / "out")]) == 1
    row = (tmp_path / "out" / "grades.csv").read_text(encoding="utf-8").splitlines()[1]
    assert "were written by a newer grader." in row


def test_damaged_results_of_another_are_named_and_hold_up_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for student, code in (("ann", 0), ("bob", 1)):
        (tmp_path / f"{student}.py").write_text(RIGHT, encoding="utf-8")
        assert main(["grade", "a1", str(tmp_path / f"{student}.py"), "-o", str(tmp_path / "out")]) == code
        (tmp_path / "out" / "ann" / "results.json").write_text("[", encoding="utf-8")
    output = capsys.readouterr().out
    assert "not graded: 1\n  ann: Its earlier results are damaged" in output
    assert "1 of 2 graded" in output
