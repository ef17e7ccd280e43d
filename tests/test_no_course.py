"""A folder that holds no assignments is no course, to every command that reads one."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from autograder import cli, store
from autograder.cli import main
from autograder.results import CriterionResult, ExerciseResult, RunRecord, SubmissionResult

GIVEN = {
    "grade": "grade a1 class -o out",
    "collect": "collect a1 class",
    "report": "report grades",
    "show": "show grades ada convolve",
    "gradebook": "gradebook a1=grades -o table.csv",
    "release": "release -o out",
    "build": "build",
    "new": "new exercise a1 softplus",
    "translated": "translated a1",
    "learn": "learn grades convolve 1",
    "audit": "audit",
    "demo": "demo all -o out",
}
READ_NONE = {"export", "diff", "doctor"}  # nor does `new assignment`, which begins a course


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Submissions and grades, and beside them a folder that is no course."""
    criterion = CriterionResult("values", 4, False, "Far off.")
    exercise = ExerciseResult("convolve", "convolution", "failed", (criterion,))
    result = SubmissionResult("ada", "a1_convolution", "Convolution", (exercise,))
    (tmp_path / "grades" / "ada").mkdir(parents=True)
    store.write_results(tmp_path / "grades" / "ada", result, RunRecord(groups={"convolve": ["0123456789abcdef"]}))
    store.write_json(tmp_path / "grades" / "run.json", {"assignment": "a1_convolution"})
    (tmp_path / "class" / "ada").mkdir(parents=True)
    (tmp_path / "course" / "solutions").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_command_has_its_place() -> None:
    (commands,) = (one for one in cli._parser()._actions if isinstance(one, argparse._SubParsersAction))
    assert set(commands.choices) == GIVEN.keys() | READ_NONE


@pytest.mark.parametrize("given", [*GIVEN.values(), "build --check", "audit a1", "demo a1 -o out", "release a1 -o out"])
@pytest.mark.parametrize("course", ["course", "gone", "grades/run.json"])
def test_a_course_without_assignments_is_said(
    folder: Path, given: str, course: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(folder.rglob("*"))
    assert main(["--course", course, *given.split()]) == 2
    said = capsys.readouterr()
    sentence = "holds no assignments: is it the course's root folder? Name it with --course DIR."
    assert (said.out, said.err) == ("", f"{folder / course} {sentence}\n")
    assert sorted(folder.rglob("*")) == before


def test_a_course_begins_in_an_empty_folder(folder: Path) -> None:
    assert main(["--course", "course", "new", "assignment", "a1", "pooling"]) == 0
    assert (folder / "course" / "solutions" / "a1_pooling" / "assignment.toml").is_file()
