"""Bad input at the command line: one clear sentence, the right exit code, never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.cli import main

ROOT = Path(__file__).parent.parent


def run(*arguments: str) -> tuple[int, str]:
    done = subprocess.run([sys.executable, "-m", "autograder", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        ((), 2, "usage"),
        (("polish",), 2, "polish"),
        (("grade", "a9", "x", "-o", "y"), 2, "'a9'"),
        (("grade", "a1", "nowhere", "-o", "y"), 1, "nowhere"),
        (("grade", "a1", "x"), 2, "-o"),
        (("grade", "a1", "x", "-o", "y", "--jobs", "0"), 2, "'0'"),
        (("report", "nowhere"), 2, "nowhere"),
        (("--course", "tests", "grade", "a1", "x", "-o", "y"), 2, "tests"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_wrong_use(arguments: tuple[str, ...], code: int, word: str) -> None:
    got, output = run(*arguments)
    assert got == code
    assert word in output
    assert "Traceback" not in output


@pytest.fixture
def empty_submission(tmp_path: Path) -> Path:
    (tmp_path / "class" / "ann").mkdir(parents=True)
    (tmp_path / "class" / "ann" / "convolution.py").write_text("", encoding="utf-8")
    return tmp_path


def test_no_sandbox_is_no_grade(empty_submission: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refusing = empty_submission / "bin" / "bwrap"
    refusing.parent.mkdir()
    refusing.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    refusing.chmod(0o755)
    monkeypatch.setenv("PATH", f"{refusing.parent}:{os.environ['PATH']}")
    out = empty_submission / "out"
    code, output = run("grade", "a1", str(empty_submission / "class"), "-o", str(out))
    assert code == 1
    assert "The numpy sandbox did not start: bwrap: No permissions to create new namespace" in output
    assert "Traceback" not in output
    assert not list(out.glob("*/results.json"))


def test_json(empty_submission: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["grade", "a1", str(empty_submission / "class"), "-o", str(empty_submission / "out"), "--json"]
    assert main(arguments) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert result == {"student": "ann", "score": 0, "max_score": 100, "infrastructure": ""}


def test_report_reads_what_grade_wrote(empty_submission: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = empty_submission / "out"
    assert main(["grade", "a1", str(empty_submission / "class"), "-o", str(out)]) == 0
    first = capsys.readouterr().out
    written = {name: (out / name).read_bytes() for name in ("grades.csv", "report.html")}
    for name in written:
        (out / name).unlink()
    assert main(["report", str(out)]) == 0
    assert capsys.readouterr().out == first
    assert {name: (out / name).read_bytes() for name in written} == written
