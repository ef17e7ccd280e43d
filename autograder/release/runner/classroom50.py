"""Grades a repository of Classroom 50 by the visible tests and writes ``result.json`` (``classroom50/result/v1``).

Lies in ``CLASSROOM/autograders/ASSIGNMENT/`` of the configuration repository, beside the tests as they were handed out:
of the student's repository only the modules are taken, so that edited tests count for nothing. Students can read all of
this, and their code runs beside it: what it says is a check, not a grade.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from summary import Criterion, criteria, table

HERE = Path(__file__).resolve().parent
PRISTINE = HERE / "visible"
SCHEMA = "classroom50/result/v1"
SECONDS = 600  # for all tests
INDEX = "https://download.pytorch.org/whl/cpu"


def result(tests: list[Criterion], submitted: str) -> dict[str, Any]:
    """What the runner reads. Scores are whole numbers: where points are not, all are multiplied by a power of 10."""
    unit = _unit(tests)
    exercises: dict[str, list[Criterion]] = {}
    for test in tests:
        exercises.setdefault(test.exercise, []).append(test)
    rows = [
        {
            "test-name": name,
            "passed": all(test.passed for test in asked),
            "score": sum(round(test.points * unit) for test in asked if test.passed),
            "max-score": sum(round(test.points * unit) for test in asked),
        }
        for name, asked in exercises.items()
    ]
    return {
        "schema": SCHEMA,
        "classroom": os.environ["CLASSROOM"],
        "assignment": os.environ["ASSIGNMENT"],
        "assignment_type": os.environ.get("ASSIGNMENT_TYPE", "individual"),
        "owner": os.environ.get("OWNER") or os.environ.get("USERNAME", ""),
        "submission": os.environ["SUBMISSION_TAG"],
        "commit": os.environ["COMMIT_URL"],
        "release": os.environ["RELEASE_URL"],
        "review": os.environ.get("REVIEW_URL") or os.environ["COMMIT_URL"],
        "datetime": submitted,
        "graded_at": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
        "score": sum(row["score"] for row in rows),
        "max-score": sum(row["max-score"] for row in rows),
        "tests": rows,
    }


def _unit(tests: list[Criterion]) -> int:
    places = (Decimal(f"{test.points:.12g}").normalize().as_tuple().exponent for test in tests)
    return int(10 ** max([0, *(-place for place in places if isinstance(place, int))]))


def run_tests(submission: Path, folder: Path) -> list[Criterion]:
    """The visible tests on the modules of ``submission``, in a copy in ``folder``.

    Raises:
        OSError, ElementTree.ParseError, TimeoutExpired: the tests did not run to their end.
    """
    shutil.copytree(PRISTINE, folder, dirs_exist_ok=True)
    kept = {path.name for path in PRISTINE.iterdir()} - set((PRISTINE / "parts.txt").read_text().split())
    for module in submission.glob("*.py"):
        if module.name not in kept and module.is_file() and not module.is_symlink():
            shutil.copy(module, folder)
    report = folder / "report.xml"
    command = [sys.executable, "-m", "pytest", f"--junitxml={report}"]
    subprocess.run(command, cwd=folder, check=False, timeout=SECONDS)
    tests: list[Criterion] = criteria(report)
    return tests


def submitted_at() -> str:
    """The time of the graded commit, in UTC."""
    command = ["git", "log", "-1", "--format=%ct"]
    seconds = int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"


def main() -> int:
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--extra-index-url", INDEX]
    subprocess.run([*install, "-r", str(PRISTINE / "requirements.txt")], check=True)
    with tempfile.TemporaryDirectory() as folder:
        tests = run_tests(Path.cwd(), Path(folder))
    Path("result.json").write_text(json.dumps(result(tests, submitted_at()), indent=2) + "\n", encoding="utf-8")
    Path("release-body.md").write_text(table(tests), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
