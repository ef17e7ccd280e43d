"""Of what could not be read nobody says that it was not handed in."""

from __future__ import annotations

import dataclasses
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from autograder.report import class_html, class_table, feedback_html, needs_attention
from autograder.results import SubmissionResult, from_gradescope, to_gradescope
from autograder.submission import read
from autograder.void import apply_void
from autograder.workers import Grader, Setting, Task
from tests.submission.hand_ins import CONV2D, CONVOLVE, GRADED, make_folder, make_zip

ROOT = Path(__file__).parents[1]
BOTH = {"convolution.py": CONVOLVE, "convolution_torch.py": CONV2D}
Content = Mapping[str, str | bytes] | bytes


def encrypted(content: bytes, name: bytes) -> bytes:
    """The bytes of a zip archive in which one member says that it is encrypted."""
    data = bytearray(content)
    for mark, flags, length in ((b"PK\3\4", 6, 30), (b"PK\1\2", 8, 46)):
        place = data.find(mark)
        while place >= 0:
            if data[place + length :].startswith(name):
                data[place + flags] |= 1
            place = data.find(mark, place + 4)
    return bytes(data)


def write(folder: Path, name: str, content: Content) -> Path:
    path = folder / name
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif path.suffix == ".zip":
        make_zip(path, content)
    else:
        make_folder(path, content)
    return path


UNREAD: dict[str, tuple[str, Content]] = {
    "too many files": ("ada.zip", {**BOTH, **{f"f{n}.py": "" for n in range(300)}}),
    "too many members": ("ada", {**BOTH, **{f"f{n}.txt": "" for n in range(2100)}}),
    "a bomb": ("ada.zip", {**BOTH, "convolution.py": "#" * 2_000_000}),
    "a forged zip": ("ada.zip", b"PK\3\4 and nothing that follows"),
    "a forged tar": ("ada.tar.gz", b"\x1f\x8b and nothing that follows"),
    "another archive": ("ada.rar", b"Rar!"),
    "a path that leads out": ("ada.zip", {**BOTH, "../convolution.py": CONVOLVE}),
    "names that clash": ("ada.zip", {**BOTH, "Convolution.py": CONVOLVE}),
    "an archive within that is damaged": ("ada", {"work.zip": b"PK\3\4"}),
    "a notebook that is none": ("ada", {"lab.ipynb": "{not json"}),
    "a module that is no text": ("ada", {"convolution.py": b"\x7fELF\0\0\0\1"}),
}
NOT_HANDED_IN: dict[str, tuple[str, Content]] = {
    "nothing in a folder": ("ada", {}),
    "no code": ("ada.zip", {"report.pdf": b"%PDF"}),
}


@pytest.fixture(scope="module")
def grader() -> Grader:
    """Where there is no part, it asks nothing, and needs no sandbox."""
    return Grader(Setting("a1", ROOT, "public", "namespaces"))


def graded(grader: Grader, path: Path | None, *notes: str) -> SubmissionResult:
    result = grader.grade(Task("ada", path, {}, notes)).result
    assert result
    assert not result.infrastructure
    return result


def said(result: SubmissionResult) -> str:
    """Everything that student and teacher read."""
    notices = needs_attention([result], {})
    pages = (
        feedback_html(result),
        class_table([result], 100, False, notices),
        "".join(class_html([result], {}, {}, notices)),
    )
    return "\n".join([json.dumps(to_gradescope(result)), *pages])


@pytest.mark.parametrize("kind", UNREAD)
def test_what_could_not_be_read_is_not_said_to_be_missing(kind: str, grader: Grader, tmp_path: Path) -> None:
    result = graded(grader, write(tmp_path, *UNREAD[kind]))
    assert {exercise.status for exercise in result.exercises} == {"not read"}
    assert result.score == 0
    text = said(result)
    assert "was not handed in" not in text
    assert "convolution_torch.py was not found in what could be read." in text
    assert "\n? not read\n" in text  # below the table, which says so with a sign
    page = feedback_html(result)
    assert "<h2>Not read<" in page
    assert "<h2>Not handed in<" not in page
    assert from_gradescope(to_gradescope(result)) == result


def test_an_encrypted_archive_is_not_said_to_be_empty(grader: Grader, tmp_path: Path) -> None:
    path = make_zip(tmp_path / "ada.zip", BOTH)
    path.write_bytes(encrypted(path.read_bytes(), b"convolution"))
    result = graded(grader, path)
    assert {exercise.status for exercise in result.exercises} == {"not read"}
    assert "was not handed in" not in said(result)


@pytest.mark.parametrize("kind", NOT_HANDED_IN)
def test_where_all_was_read_it_was_not_handed_in(kind: str, grader: Grader, tmp_path: Path) -> None:
    result = graded(grader, write(tmp_path, *NOT_HANDED_IN[kind]))
    assert {exercise.status for exercise in result.exercises} == {"not handed in"}
    assert "not read" not in feedback_html(result)


def test_who_handed_in_nothing_has_no_part_that_was_not_read(grader: Grader, tmp_path: Path) -> None:
    assert {exercise.status for exercise in graded(grader, None).exercises} == {"not handed in"}
    left = "convolution.py was left out because it could not be read."
    (tmp_path / "ada").mkdir()
    result = graded(grader, tmp_path / "ada", left)
    assert {exercise.status for exercise in result.exercises} == {"not read"}


@pytest.mark.parametrize("wanted", [True, False])
def test_a_part_beside_one_that_was_read(tmp_path: Path, wanted: bool) -> None:
    path = make_zip(tmp_path / "ada.zip", BOTH if wanted else {**BOTH, "notes.txt": "mine"})
    path.write_bytes(encrypted(path.read_bytes(), b"convolution_torch.py" if wanted else b"notes.txt"))
    with zipfile.ZipFile(path) as archive:
        assert sum(entry.flag_bits & 1 for entry in archive.infolist()) == 1
    submission = read("ada", path, GRADED)
    assert "convolution" in submission.parts
    assert ("convolution_torch" in submission.parts, submission.unread) == (not wanted, wanted)


def test_a_column_of_the_report_counts_them_where_there_are_any(grader: Grader, tmp_path: Path) -> None:
    result = graded(grader, write(tmp_path, *UNREAD["a bomb"]))
    first, *others = result.exercises
    won = tuple(dataclasses.replace(one, passed=True, message="") for one in first.criteria)
    right = dataclasses.replace(first, status="passed", criteria=won)
    partly = dataclasses.replace(result, exercises=(right, *others), notes=(), attention=())
    absent = [dataclasses.replace(one, status="not handed in") for one in others]
    wholly = dataclasses.replace(partly, exercises=(right, *absent))
    assert '<th scope="col">not read</th>' in "".join(class_html([partly], {}, {}))
    assert '<th scope="col">not read</th>' not in "".join(class_html([wholly], {}, {}))
    assert "? not read" in class_table([partly], 100, False)


def test_a_faulty_criterion_counts_for_nobody_whose_work_could_not_be_read(grader: Grader, tmp_path: Path) -> None:
    result = graded(grader, write(tmp_path, *UNREAD["a bomb"]))
    exercise = result.exercises[0]
    voided = {exercise.name: {exercise.criteria[0].name: "It was wrong."}}
    assert apply_void(result, voided).score == 0
