"""Bad input at the command line: one clear sentence, the right exit code, never a traceback."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder import audit
from autograder.cli import main
from autograder.loading import load
from autograder.sandbox.inside import lock

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
        (("grade", "a1", "x", "-o", ""), 2, "-o/--out: an empty name"),
        (("audit", "a1", "--sample", "0"), 2, "'0' is not a number of mutants"),
        (("audit", "a1", "--html", "."), 1, ".: Is a directory."),
        (("demo", "a1", "-o", "README.md"), 2, "README.md is a file, not a folder."),
        (("report", "nowhere"), 2, "nowhere"),
        (("report", ""), 2, "an empty name"),
        (("--course", "tests", "grade", "a1", "x", "-o", "y"), 2, "tests"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_wrong_use(arguments: tuple[str, ...], code: int, word: str) -> None:
    got, output = run(*arguments)
    assert got == code
    assert word in output
    assert "Traceback" not in output


def test_missing_requirements_are_said() -> None:
    done = subprocess.run([sys.executable, "-S", "-m", "autograder"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert "is not installed for this Python" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.fixture
def empty_submission(tmp_path: Path) -> Path:
    (tmp_path / "class" / "ann").mkdir(parents=True)
    (tmp_path / "class" / "ann" / "convolution.py").write_text("", encoding="utf-8")
    return tmp_path


def test_no_sandbox_is_no_grade(
    empty_submission: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    refusing = empty_submission / "bin" / "bwrap"
    refusing.parent.mkdir()
    refusing.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    refusing.chmod(0o755)
    monkeypatch.setenv("PATH", f"{refusing.parent}:{os.environ['PATH']}")
    monkeypatch.setattr(lock, "landlock_abi", lambda: 0)  # or a container would take their place
    out = empty_submission / "out"
    assert main(["grade", "a1", str(empty_submission / "class"), "-o", str(out)]) == 1
    taken, sentence = capsys.readouterr().err.splitlines()
    assert taken == "Plain folder: 1 student."
    assert sentence.startswith("No isolation works here. namespaces: The numpy sandbox did not start: bwrap: No perm")
    assert not out.exists()


def test_json(empty_submission: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["grade", "a1", str(empty_submission / "class"), "-o", str(empty_submission / "out"), "--json"]
    assert main(arguments) == 0
    first = capsys.readouterr().out
    (result,) = json.loads(first)["results"]
    most = load("a1", ROOT).max_score
    expected = {"student": "ann", "score": 0, "raw_score": 0, "max_score": most, "late": None, "infrastructure": ""}
    assert result == expected
    assert main(["report", str(empty_submission / "out"), "--json"]) == 0
    assert capsys.readouterr().out == first


def test_quiet_prints_no_table(empty_submission: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = empty_submission / "out"
    for command in (["grade", "a1", str(empty_submission / "class"), "-o", str(out)], ["report", str(out)]):
        assert main([*command, "--quiet"]) == 0
        assert capsys.readouterr().out == ""
    assert (out / "report.html").exists()


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


def test_results_do_not_go_among_the_submissions(empty_submission: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = empty_submission / "class"
    for out in (folder, folder / "grades"):
        assert main(["grade", "a1", str(folder), "-o", str(out)]) == 2
        assert "among the submissions" in capsys.readouterr().err
    assert [path.name for path in folder.rglob("*")] == ["ann", "convolution.py"]


def test_nobody_vanishes(empty_submission: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, out = empty_submission / "class", empty_submission / "out"
    (folder / "dirk.rar").write_bytes(b"Rar!")
    (folder / "sue.py.txt").write_text("def convolve(x, h): ...")
    assert main(["grade", "a1", str(folder), "-o", str(out)]) == 0
    captured = capsys.readouterr()
    assert "sue.py.txt" in captured.err
    assert "2 of 2 graded" in captured.out
    refused = json.loads((out / "dirk" / "results.json").read_text(encoding="utf-8"))
    assert (
        refused["output"] == "dirk.rar is not a .py, .ipynb, .zip or .tar.gz file: hand in one of those, or a folder."
    )


def test_an_empty_folder_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "class").mkdir()
    assert main(["grade", "a1", str(tmp_path / "class"), "-o", str(tmp_path / "out")]) == 1
    assert "holds no submission" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_name_with_a_line_end_does_not_break_the_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for twin in ("x", "y"):
        (tmp_path / "class" / "a\nb" / twin).mkdir(parents=True)
        (tmp_path / "class" / "a\nb" / twin / "convolution.py").write_text("def convolve(x, h):\n    return x\n")
    assert main(["collect", "a1", str(tmp_path / "class")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "a\ufffdb" in line


def test_a_place_that_cannot_be_written(empty_submission: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (empty_submission / "file").write_text("")
    for out in (empty_submission / "file", empty_submission / "file" / "below"):
        assert main(["grade", "a1", str(empty_submission / "class"), "-o", str(out)]) == 2
        assert capsys.readouterr().err == f"{empty_submission / 'file'} is a file, not a folder.\n"


def test_an_error_names_the_file_and_not_its_stand_in(
    empty_submission: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out, page = empty_submission / "out", empty_submission / "out" / "report.html"
    page.mkdir(parents=True)
    assert main(["grade", "a1", str(empty_submission / "class"), "-o", str(out)]) == 1
    assert f"{page}: Is a directory." in capsys.readouterr().err.splitlines()
    monkeypatch.setattr(audit, "audit", lambda *_: pytest.fail("the work came first"))
    assert main(["audit", "a1", "--html", str(page)]) == 1
    assert capsys.readouterr().err == f"{page}: Is a directory.\n"
    assert not list(out.glob(".*"))


def test_another_assignments_results_are_not_overwritten(
    graded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = Path(shutil.copytree(graded, tmp_path / "out"))
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    (tmp_path / "emil.py").write_text("")
    assert main(["grade", "a2", str(tmp_path / "emil.py"), "-o", str(out)]) == 2
    sentence = f"{out} holds results of a1_convolution: give a2_activations a folder of its own.\n"
    assert capsys.readouterr().err == sentence
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


def test_one_student_graded_again_keeps_the_class(empty_submission: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, out = empty_submission / "class", empty_submission / "out"
    (folder / "bob").mkdir()
    (folder / "bob" / "convolution.py").write_text("x = 1\n")
    assert main(["grade", "a1", str(folder), "-o", str(out)]) == 0
    assert main(["grade", "a1", str(folder / "bob"), "-o", str(out), "--regrade"]) == 0
    assert "kept and reported too: 1." in capsys.readouterr().err
    assert len((out / "grades.csv").read_text().splitlines()) == 3


def test_damaged_results_are_graded_again_or_named(empty_submission: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["grade", "a1", str(empty_submission / "class"), "-o", str(empty_submission / "out")]
    assert main(arguments) == 0
    results = empty_submission / "out" / "ann" / "results.json"
    whole = results.read_text(encoding="utf-8")
    results.write_text(whole[:100], encoding="utf-8")
    assert main(["report", str(empty_submission / "out")]) == 1
    assert "not graded: 1\n  ann: Its earlier results are damaged" in capsys.readouterr().out
    assert main(arguments) == 0
    assert results.read_text(encoding="utf-8") == whole


@pytest.mark.parametrize("content", ["", "[]", None], ids=["empty", "a list", "missing"])
def test_a_damaged_record_of_the_run_is_named(
    graded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | None
) -> None:
    run = Path(shutil.copytree(graded, tmp_path / "out")) / "run.json"
    run.unlink() if content is None else run.write_text(content)
    assert main(["report", str(tmp_path / "out")]) == 1
    assert capsys.readouterr().err.startswith(f"{run} is missing or damaged: grade again, ")


def test_results_that_may_not_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may read everything
    assert main(["report", str(tmp_path)]) == 1
    assert capsys.readouterr().err == f"{tmp_path} cannot be read: permission denied.\n"


def test_the_public_seed_is_pointed_out(
    empty_submission: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["grade", "a1", str(empty_submission / "class"), "-o", str(empty_submission / "out")]
    for seed, said in (("", True), ("of this term", False)):
        monkeypatch.setenv("AUTOGRADER_SEED", seed)
        assert main(arguments) == 0
        assert ("public seed" in capsys.readouterr().err) == said


def test_a_seed_that_is_no_text(empty_submission: Path, capsys: pytest.CaptureFixture[str]) -> None:
    course = empty_submission / "course"
    course.mkdir()
    (course / "solutions").symlink_to(ROOT / "solutions")
    (course / ".autograder-seed").write_text("of this term", encoding="utf-16")
    arguments = ["grade", "a1", str(empty_submission / "class"), "-o", str(empty_submission / "out")]
    assert main(["--course", str(course), *arguments]) == 2
    assert capsys.readouterr().err.splitlines()[1:] == [
        f"{course / '.autograder-seed'} holds no seed: one line of UTF-8 text is wanted."
    ]


def test_a_course_and_submissions_lie_apart(
    empty_submission: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a course holds is executed without any lock: no student may have written it."""
    course, out = empty_submission / "class" / "ann", str(tmp_path / "out")
    (course / "solutions").symlink_to(ROOT / "solutions")
    assert main(["--course", str(course), "grade", "a1", str(empty_submission / "class"), "-o", out]) == 2
    assert "lies among the submissions" in capsys.readouterr().err
    (empty_submission / "solutions").symlink_to(ROOT / "solutions")
    assert main(["--course", str(empty_submission), "grade", "a1", str(empty_submission / "class"), "-o", out]) == 2
    assert "lie in the course" in capsys.readouterr().err
    assert not Path(out).exists()


@pytest.mark.parametrize(
    ("target", "code", "sentence"),
    [("| true", 0, ""), ("> /dev/full", 1, "The output: No space left on device.\n")],
    ids=["a reader that has seen enough", "a full disk"],
)
def test_output_that_goes_nowhere(graded: Path, tmp_path: Path, target: str, code: int, sentence: str) -> None:
    out = shutil.copytree(graded, tmp_path / "out")
    command = f"{sys.executable} -m autograder report {out} {target}"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True)
    said = "".join(line for line in done.stderr.splitlines(keepends=True) if "names and layout" not in line)
    assert (done.returncode, said) == (code, sentence)
