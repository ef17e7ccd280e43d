"""Each student's folder: another one for each student, and one that every system can make."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from autograder.folders import folder_name

ANYTHING = st.text(st.characters(exclude_categories=()), max_size=300)
NEARLY = st.text(st.sampled_from("aAé\u0301 ._~/0-9"), max_size=12)  # few letters, so that names are often alike
NAMES = ANYTHING | NEARLY | st.sampled_from(["CON", "nul.txt", "grades.csv", "report.html_", "..", ".", "\udcff"])


@given(NAMES, NAMES)
@example("report.html", "report.html_")
@example("x" * 400 + "a", "x" * 400 + "b")
@example("e\u0301va", "\u00e9va")
@example("a/b", "a_b")
@example("", "unnamed")
def test_two_students_never_share_a_folder(one: str, other: str) -> None:
    assert folder_name(one) == folder_name(one)
    if one.casefold() != other.casefold():
        first, second = (unicodedata.normalize("NFC", folder_name(name).casefold()) for name in (one, other))
        assert first != second
    assert (folder_name(one) == folder_name(other)) == (one == other)


@given(NAMES)
@example("CON")
@example("aux.txt")
@example("Lpt1 .tar.gz")
@example("COM\u00b2")
@example("bob.")
@example("\ufdfa" * 60)
def test_a_folder_can_be_made_anywhere(student: str) -> None:
    folder = folder_name(student)
    assert 0 < len(folder.encode()) <= 200
    assert not re.search(r'[\0-\x1f<>:"/\\|?*]', folder)
    assert folder.isprintable()
    assert folder[0] not in " .-"
    assert folder[-1] not in " ."
    assert not re.fullmatch(r"(con|prn|aux|nul|com\d|lpt\d) *(\..*)?", folder.lower())
    assert not folder.lower().endswith((".csv", ".html", ".json"))
    assert unicodedata.is_normalized("NFC", folder)


@given(NAMES)
def test_no_student_is_called_as_the_folder_of_another(student: str) -> None:
    if folder_name(student) != student:
        assert folder_name(folder_name(student)) != folder_name(student)


@pytest.mark.parametrize(
    "name", ["ada", "Ada Lovelace", "lovelace_ada-12345", "王小明", "मीरा", "José Ñ. O'Neil (2)", "ada@x.org", "eve.v2"]
)
def test_an_ordinary_name_is_its_own_folder(name: str) -> None:
    assert folder_name(name) == name


def test_any_other_name_can_be_recognised(tmp_path: Path) -> None:
    assert re.fullmatch(r"eve~[0-9a-f]{16}", folder_name("eve\ufffd"))
    assert re.fullmatch(r"report_html~[0-9a-f]{16}", folder_name("report.html"))
    assert re.fullmatch(r"student~[0-9a-f]{16}", folder_name(".."))
    for name in ("eve\udcff", "x" * 5000, "\u0301" * 100_000, "a\0b"):
        (tmp_path / folder_name(name)).mkdir()
