"""What stands where a release is to be written: nobody's work is replaced, and nothing is written beside it."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.cli import main
from autograder.release import command

SEED = "9f86d081884c7d659a2f"
NAME = "a1_convolution"
ARCHIVES = {
    f"{NAME}.zip": ["--for", "students"],
    f"{NAME}-classroom50.zip": ["--for", "classroom50"],
    f"{NAME}-solution.zip": ["--solutions"],
    f"staff/gradescope-{NAME}.zip": ["--for", "gradescope"],
    f"staff/otter-{NAME}.zip": ["--for", "otter"],
}


@pytest.fixture(autouse=True)
def no_references_are_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.release.confidential._numbers", lambda *_: [])
    monkeypatch.setenv("AUTOGRADER_SEED", SEED)


def released(out: Path, *arguments: str) -> int:
    return main(["release", "a1", "-o", str(out), *arguments])


def packed_by_hand(folder: Path, archive: Path, method: int) -> None:
    with zipfile.ZipFile(archive, "w", method) as made:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            made.write(path, f"{folder.name}/{path.relative_to(folder).as_posix()}")


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
def test_a_changed_folder_that_was_packed_again_is_kept(
    tmp_path: Path, method: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert released(tmp_path, "--for", "students") == 0
    folder, archive = tmp_path / NAME, tmp_path / f"{NAME}.zip"
    (folder / "README.md").write_text("The deadline is on Monday.", encoding="utf-8")
    packed_by_hand(folder, archive, method)
    before = everything(tmp_path)
    assert released(tmp_path, "--for", "students") == 2
    assert capsys.readouterr().err == (
        f"{folder} holds files that are not as the last release wrote them: keep your changes elsewhere, "
        "or replace the files with --force.\n  README.md\n"
    )
    assert everything(tmp_path) == before
    assert released(tmp_path, "--for", "students", "--force") == 0
    assert released(tmp_path, "--for", "students") == 0


@pytest.mark.parametrize("archive", ARCHIVES)
def test_an_archive_of_somebody_else_is_kept(tmp_path: Path, archive: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / archive
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"PK of last year")
    assert released(tmp_path, *ARCHIVES[archive]) == 2
    sentence = f"{path} was not written by a release: move it away, or replace it with --force.\n"
    assert capsys.readouterr().err == sentence
    assert everything(tmp_path) == {archive: b"PK of last year"}
    assert released(tmp_path, *ARCHIVES[archive], "--force") == 0
    assert released(tmp_path, *ARCHIVES[archive]) == 0
    with zipfile.ZipFile(path, "a") as ours:
        ours.writestr("notes.txt", "mine")
    changed = path.read_bytes()
    assert released(tmp_path, *ARCHIVES[archive]) == 2
    assert capsys.readouterr().err == sentence
    assert path.read_bytes() == changed


@pytest.mark.parametrize(
    ("stands", "sentence"),
    [
        (lambda out: (out / NAME).touch(), f"{NAME} is a file, not a folder."),
        (lambda out: (out / "staff").touch(), "staff is a file, not a folder."),
        (
            lambda out: (out / f"{NAME}.zip").mkdir(),
            f"{NAME}.zip is a folder, where the archive is to go: move it away, and release again.",
        ),
        (
            lambda out: (out / NAME / "README.md").mkdir(parents=True),
            f"{NAME} holds what is no part of the release: move it away, and release again.\n  README.md",
        ),
        (
            lambda out: (out / f"{NAME}.zip").symlink_to(out / "elsewhere.zip"),
            f"{NAME}.zip was not written by a release: move it away, or replace it with --force.",
        ),
    ],
    ids=["a file for the folder", "a file for staff's", "a folder for the archive", "a folder for a file", "a link"],
)
def test_what_is_in_the_way_is_said_before_anything_is_written(
    tmp_path: Path, stands: Callable[[Path], object], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    stands(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    assert main(["release", "a2", "a1", "-o", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"{tmp_path}/{sentence}\n"
    assert sorted(tmp_path.rglob("*")) == before


def test_what_is_named_twice_is_released_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ["a1", NAME, f"solutions/{NAME}", "a1"]
    platforms = ["--for", "gradescope", "--for", "students", "--for", "gradescope"]
    assert main(["release", *names, "-o", str(tmp_path), *platforms]) == 0
    said = [line for line in capsys.readouterr().out.splitlines() if str(tmp_path) in line]
    assert [line.partition(":")[0] for line in said] == [
        str(tmp_path / NAME),
        str(tmp_path / "staff" / f"gradescope-{NAME}.zip"),
    ]


def test_a_release_whose_archive_is_gone_is_replaced_only_where_it_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert released(tmp_path, "--for", "students") == 0
    (tmp_path / f"{NAME}.zip").unlink()
    assert released(tmp_path, "--for", "students") == 0
    (tmp_path / f"{NAME}.zip").unlink()
    made = command.student_bundle
    monkeypatch.setattr(command, "student_bundle", lambda *given: {**made(*given), "README.md": b"# New\n"})
    assert released(tmp_path, "--for", "students") == 2
    shutil.rmtree(tmp_path / NAME)
    assert released(tmp_path, "--for", "students") == 0
