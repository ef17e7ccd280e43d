"""Many submissions: nobody's file changes another's grade, a killed run resumes, workers do not matter."""

from __future__ import annotations

import csv
import errno
import json
import os
import shutil
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from autograder import grading, store
from autograder.cli import main
from autograder.deadline import read_deadline
from autograder.decimals import total
from autograder.loading import load
from autograder.submission import files as collecting
from autograder.workers import Grader

ROOT = Path(__file__).parent.parent
FULL = total(load("a1", ROOT).points["convolve"].values())
GRADED = ("results.json", "feedback.html")

RIGHT = "import numpy as np\n\ndef convolve(x, h):\n    if not len(x) * len(h):\n        raise ValueError\n" + (
    "    y = np.zeros(len(x) + len(h) - 1)\n    for k, s in enumerate(x):\n        y[k : k + len(h)] += s * h\n"
    "    return y\n"
)
BROKEN = "def convolve(x, h:\n"
DEADLY = "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nos.kill(-1, signal.SIGKILL)\nos._exit(1)\n"


def write(folder: Path, **sources: str) -> Path:
    for student, source in sources.items():
        (folder / student).mkdir(parents=True)
        (folder / student / "convolution.py").write_text(source, encoding="utf-8")
    return folder


def grade(submissions: Path, out: Path, *more: str) -> int:
    return main(["grade", "a1", str(submissions), "-o", str(out), "--seed", "public", *more])


def files(out: Path, students: set[str], folder: str = "") -> dict[str, bytes]:
    return {f"{s}/{name}": (out / s / folder / name).read_bytes() for s in sorted(students) for name in GRADED}


def score(out: Path, student: str) -> float:
    return float(json.loads((out / student / "results.json").read_text(encoding="utf-8"))["score"])


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, set[str]]:
    """Four good students graded on their own."""
    folder = tmp_path_factory.mktemp("four")
    names = {"ann", "bob", "cem", "dee"}
    write(folder / "class", **{name: f"# {name}\n{RIGHT}" for name in sorted(names)})
    assert grade(folder / "class", folder / "out", "--jobs", "1") == 0
    return folder, names


@pytest.mark.parametrize(
    "source",
    [BROKEN, DEADLY, "", "\0", "x = " + "(" * 5000],
    ids=["does not parse", "kills what it can", "empty", "null byte", "too deep"],
)
def test_one_bad_submission_changes_nothing_for_the_other_four(
    four: tuple[Path, set[str]], tmp_path: Path, source: str
) -> None:
    folder, names = four
    shutil.copytree(folder / "class", tmp_path / "class")
    write(tmp_path / "class", bad=source)
    assert grade(tmp_path / "class", tmp_path / "out", "--jobs", "2") == 0
    assert files(tmp_path / "out", names) == files(folder / "out", names)
    assert score(tmp_path / "out", "bad") == 0
    assert score(tmp_path / "out", "ann") == FULL


def test_the_table_holds_one_row_a_student(four: tuple[Path, set[str]]) -> None:
    with (four[0] / "out" / "grades.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert header[:5] == ["student", "score", "max_score", "convolve", "cross_correlate"]
    assert [row[:5] for row in rows] == [[name, "4", "100", "4", "0"] for name in sorted(four[1])]
    assert (four[0] / "out" / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_what_has_not_changed_is_not_graded_again(four: tuple[Path, set[str]], tmp_path: Path) -> None:
    shutil.copytree(four[0], tmp_path / "again")
    marks = {s: (tmp_path / "again" / "out" / s / "run.json").stat().st_mtime_ns for s in four[1]}
    changed = tmp_path / "again" / "class" / "bob" / "convolution.py"
    changed.write_text("def convolve(x, h):\n    return x\n", encoding="utf-8")
    assert grade(tmp_path / "again" / "class", tmp_path / "again" / "out") == 0
    new = {s: (tmp_path / "again" / "out" / s / "run.json").stat().st_mtime_ns for s in four[1]}
    assert {s for s in four[1] if new[s] != marks[s]} == {"bob"}
    assert score(tmp_path / "again" / "out", "bob") == 0
    assert grade(tmp_path / "again" / "class", tmp_path / "again" / "out", "--regrade") == 0
    newest = {s: (tmp_path / "again" / "out" / s / "run.json").stat().st_mtime_ns for s in four[1]}
    assert all(newest[s] != new[s] for s in four[1])


def test_another_seed_asks_other_questions_and_gives_the_same_grades(
    four: tuple[Path, set[str]], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert main(["grade", "a1", str(four[0] / "class"), "-o", str(out), "--seed", "another"]) == 0
    assert files(out, four[1]) == files(four[0] / "out", four[1])
    keys = [json.loads((base / "ann" / "run.json").read_text())["key"] for base in (out, four[0] / "out")]
    assert keys[0] != keys[1]


def descendants(pid: int) -> list[int]:
    """Every process below ``pid``."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split() if Path(f"/proc/{pid}").exists() else []
    return [int(child) for child in children] + [pid for child in children for pid in descendants(int(child))]


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")")[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    slow = RIGHT + "\nimport numpy\nfor _ in range(300):\n    numpy.linalg.svd(numpy.ones((60, 60)))\n"
    names = [f"s{n:02}" for n in range(12)]
    write(tmp_path / "class", **{name: f"# {name}\n{slow}" for name in names})
    arguments = ["grade", "a1", str(tmp_path / "class"), "-o", str(tmp_path / "out"), "--jobs", "1", "--seed", "public"]
    process = subprocess.Popen(
        [sys.executable, "-m", "autograder", *arguments], cwd=ROOT, start_new_session=True, stdout=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 120
    while not (done := list((tmp_path / "out").glob("*/run.json"))) and time.monotonic() < deadline:
        time.sleep(0.02)
    workers = descendants(process.pid)
    assert len(workers) > 2
    process.kill()  # the parent alone: what it started must end by itself
    process.wait()
    deadline = time.monotonic() + 20
    while (left := [pid for pid in workers if is_running(pid)]) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left
    done = list((tmp_path / "out").glob("*/run.json"))
    assert 0 < len(done) < len(names)
    before = {path: path.stat().st_mtime_ns for path in done}
    assert main(arguments) == 0
    assert len(list((tmp_path / "out").glob("*/run.json"))) == len(names)
    assert {path: path.stat().st_mtime_ns for path in done} == before
    assert not [path for path in (tmp_path / "out").rglob(".*")]


def test_files_are_replaced_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    store.write_text(path, "old")

    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "the disk is full", "temporary")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="full") as caught:
        store.write_text(path, "new")
    assert caught.value.filename == str(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_the_grader_may_not_read_is_no_zero(
    four: tuple[Path, set[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def denied(*_: object) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied", "ann/convolution.py")

    out = Path(shutil.copytree(four[0] / "out", tmp_path / "out"))
    before = files(out, {"ann"})
    monkeypatch.setattr(grading, "grade_tasks", lambda setting, tasks, _: map(Grader(setting).grade, tasks))
    monkeypatch.setattr(collecting, "_bounded", denied)  # root may read everything
    assert grade(four[0] / "class" / "ann", out, "--json") == 1
    ann = json.loads(capsys.readouterr().out)["results"][0]
    assert ann["score"] is None
    assert ann["infrastructure"] == "ann/convolution.py cannot be read: permission denied."
    assert not (out / "ann" / "results.json").exists()
    assert files(out, {"ann"}, "earlier") == before


def course(folder: Path, due: str) -> Path:
    """A course in Berlin whose first assignment is due."""
    for name in ("solutions", "assignments"):
        shutil.copytree(ROOT / name, folder / name)
    settings = folder / "solutions" / "a1_convolution" / "assignment.toml"
    settings.write_text(
        f'due = {due}\ntimezone = "Europe/Berlin"\n' + settings.read_text(encoding="utf-8"), encoding="utf-8"
    )
    return settings


@pytest.mark.parametrize(
    ("due", "late"),
    [
        ("2026-03-01T12:00:00Z", True),
        ("2026-03-01T12:00:01Z", False),
        ("2026-03-01T12:59:59", True),  # in Berlin
        ("2026-03-01T13:00:01", False),
        ("2026-02-28", True),  # a date alone is the end of that day
        ("2026-03-01", False),
    ],
)
def test_a_late_submission_is_flagged_and_not_docked(tmp_path: Path, due: str, late: bool) -> None:
    course(tmp_path / "course", due)
    write(tmp_path / "class", ann=RIGHT)
    noon = datetime(2026, 3, 1, 12, 0, 0, 500_000, tzinfo=UTC).timestamp()
    for path in (tmp_path / "class" / "ann", tmp_path / "class" / "ann" / "convolution.py"):
        os.utime(path, (noon, noon))
    command = [
        "--course",
        str(tmp_path / "course"),
        "grade",
        "a1",
        str(tmp_path / "class"),
        "-o",
        str(tmp_path / "out"),
    ]
    assert main(command) == 0
    data = json.loads((tmp_path / "out" / "ann" / "results.json").read_text(encoding="utf-8"))
    assert (f"Handed in after {due[:10]}" in data["output"]) == late
    assert data["score"] == FULL


@pytest.mark.parametrize("due", ['"26.4.2027"', "2027", "23:59:00"])
def test_a_due_date_that_is_none_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str], due: str) -> None:
    settings = course(tmp_path / "course", due)
    write(tmp_path / "class", ann=RIGHT)
    command = [
        "--course",
        str(tmp_path / "course"),
        "grade",
        "a1",
        str(tmp_path / "class"),
        "-o",
        str(tmp_path / "out"),
    ]
    assert main(command) == 2
    sentence = f"{settings}: due is not a date and time such as 2027-04-26T23:59:00+02:00.\n"
    assert capsys.readouterr().err == sentence


def test_a_date_alone_is_the_end_of_that_day(tmp_path: Path) -> None:
    due = read_deadline(course(tmp_path, "2027-04-26")).due
    assert f"{due:%Y-%m-%d %H:%M:%S %z}" == "2027-04-26 23:59:59 +0200"
