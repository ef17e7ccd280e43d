"""A plugin by which otter grades with this grader: otter carries the verdicts and runs none of the student's code.

Otter's own tests would run in the student's process, where they can be patched. So the submission is graded, and taken
away, before otter looks at it, and what otter then executes is an empty file.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from otter.plugins import AbstractOtterPlugin
from otter.test_files.abstract_test import TestCase, TestCaseResult
from otter.test_files.exception_test import ExceptionTestFile

from autograder.course import CourseError
from autograder.loading import find_assignments
from autograder.results import ExerciseResult, SubmissionResult, from_gradescope

OTTERS = ("tests", "__init__.py")  # what otter has put beside the student's files
COURSE = "course"  # in the zip archive, and so beside the folder of submissions
STUDENT = "submission"


class NotGradedError(Exception):
    """The grader failed, which is no zero: otter ends without a results file."""


class GraderPlugin(AbstractOtterPlugin):  # type: ignore[misc]
    """Otter makes one for each submission, and calls it in the folder that holds the student's files."""

    result: SubmissionResult

    def before_grading(self, config: object) -> None:
        """Grade a copy of what was handed in, then leave nothing of it."""
        folder = Path.cwd()
        self.result = grade_elsewhere(folder, folder.parent / "source" / COURSE)
        for path in folder.iterdir():
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        empty_file(Path(self.submission_path))

    def after_grading(self, results: Any) -> None:
        """Put the verdicts in place of what otter found in the empty file."""
        results.results = {exercise.name: test_file(exercise) for exercise in self.result.exercises}
        results.set_output("\n".join(self.result.notes))

    def generate_report(self) -> str:
        return "\n".join([f"{self.result.score:g} of {self.result.max_score:g} points", *self.result.notes])


def grade_elsewhere(folder: Path, root: Path) -> SubmissionResult:
    """The result of what lies in ``folder``, by the course at ``root``, in a process that imports nothing from there.

    Raises:
        NotGradedError: there is none; the message says why.
    """
    names = find_assignments(root)
    if len(names) != 1:
        raise CourseError(f"{root} holds {len(names)} assignments: the zip archive is damaged.")
    with tempfile.TemporaryDirectory() as temporary:
        handed_in, out = Path(temporary, STUDENT), Path(temporary, "grades")
        shutil.copytree(folder, handed_in, symlinks=True, ignore=_otters(folder))
        command = [sys.executable, "-I", "-m", "autograder", "--course", str(root), "grade", names[0], str(handed_in)]
        command += ["-o", str(out), "--from", "student", "--jobs", "1", "--quiet"]
        done = subprocess.run(command, cwd="/", capture_output=True, text=True)
        file = out / STUDENT / "results.json"
        if done.returncode or not file.exists():
            raise NotGradedError(done.stderr.strip() or f"The grader ended with code {done.returncode}.")
        return from_gradescope(json.loads(file.read_text(encoding="utf-8")))


def _otters(folder: Path) -> Any:
    def ignored(place: str, names: list[str]) -> list[str]:
        return [name for name in names if name in OTTERS] if Path(place) == folder else []

    return ignored


def empty_file(path: Path) -> None:
    """A notebook or a module of that name, with nothing in it, and no tests beside it."""
    (path.parent / "tests").mkdir()
    if path.suffix == ".ipynb":
        notebook = nbformat.v4.new_notebook()
        notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
        nbformat.write(notebook, path)
    else:
        path.touch()


def test_file(exercise: ExerciseResult) -> Any:
    """An exercise as one of otter's test files, and its criteria as the cases. A bonus adds to the score, and
    nothing to what is possible, which otter sums over the cases.
    """
    cases = [
        TestCase(c.name, None, False, 0 if exercise.bonus else c.max_points, None, None) for c in exercise.criteria
    ]
    file = ExceptionTestFile(exercise.name, f"{exercise.name}.py", cases, all_or_nothing=False)
    file.test_case_results = [
        TestCaseResult(case, criterion.told, criterion.won)
        for case, criterion in zip(cases, exercise.criteria, strict=True)
    ]
    file.update_score(exercise.points)
    return file
