"""From a download to grades: one grading a group, a copy and the facts of what was graded, and nothing lost."""

from __future__ import annotations

import csv
import errno
import hashlib
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import exports
import pytest
from exports import packed, write

from autograder import grading
from autograder.class_report import report_class
from autograder.cli import main
from autograder.collect.entry import HandIn, read_hand_in
from autograder.collect.keep import tree_hash
from autograder.workers import Graded, Grader, Setting, Task

RIGHT = """import numpy as np

def convolve(x, h):
    if not len(x) * len(h):
        raise ValueError
    y = np.zeros(len(x) + len(h) - 1)
    for k, s in enumerate(x):
        y[k : k + len(h)] += s * h
    return y
"""
WRONG = "def convolve(x, h):\n    return x * 0\n"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A group of two, one alone and one who handed in nothing, graded; then the inbox is moved away."""
    place = tmp_path_factory.mktemp("class")
    work = packed({"hw/convolution.py": RIGHT})
    write(place / "in", {"Team_9_assignsubmission_file_convolution.py": WRONG})
    write(place / "in", {"Cem_7_assignsubmission_file_work.zip": work})
    (place / "roster.csv").write_text("id,name,group\n1,Ada,Team\n2,Ben,Team\n3,Cem,\n4,Dora,\n", encoding="utf-8")
    command = ["grade", "a1", str(place / "in"), "-o", str(place / "out"), "--seed", "public", "--jobs", "1"]
    assert main([*command, "--roster", str(place / "roster.csv")]) == 0
    (place / "in").rename(place / "moved")
    return place


def test_each_member_gets_the_grade_and_who_handed_in_nothing_gets_none(place: Path) -> None:
    with (place / "out" / "grades.csv").open(encoding="utf-8", newline="") as file:
        table = {row.pop("student"): row for row in csv.DictReader(file)}
    assert sorted(table) == ["1", "2", "3", "4"]
    assert [table[key].pop("name") for key in ("1", "2")] == ["Ada", "Ben"]
    assert table["1"] == table["2"]
    assert float(table["3"]["convolve"]) > float(table["1"]["convolve"])
    assert table["4"]["score"] == "0"
    assert "Nothing was handed in." in table["4"]["notes"]


def test_the_facts_and_a_copy_are_kept(place: Path) -> None:
    facts = {key: hand_in for key in "1234" if (hand_in := read_hand_in(place / "out" / key))}
    assert [one.absent for one in facts.values()] == [False, False, False, True]
    assert [member.name for member in facts["2"].members] == ["Ben", "Ada"]
    assert facts["1"].sha256 == facts["2"].sha256
    for key in "123":
        copy = place / "out" / key / "submission"
        files = [file for file in copy.rglob("*") if file.is_file()]
        hashes = [(str(file.relative_to(copy)), hashlib.sha256(file.read_bytes()).hexdigest()) for file in files]
        assert hashes
        assert tree_hash(hashes) == facts[key].sha256


@pytest.mark.parametrize("student", ["1", "2", "3"])
def test_show_opens_what_was_graded_when_the_inbox_has_moved(
    place: Path, student: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", str(place / "out"), student, "convolve", "--seed", "public"]) == 0
    captured = capsys.readouterr()
    assert ("fails" in captured.out) == (student != "3")
    assert captured.err == ""


def test_show_says_that_nothing_was_handed_in(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(place / "out"), "4", "convolve"]) == 1
    assert "Nothing was handed in." in capsys.readouterr().err


def test_collect_prints_whom_grade_would_grade(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exports.blackboard(tmp_path / "class")
    command = ["collect", "a1", str(tmp_path / "class"), "--timezone", "Europe/Berlin"]
    assert main(command) == 0
    printed = capsys.readouterr().out
    assert re.search(r"\nzoe +Jane Doe 8 +2 of 2 +2026-01-03 08:00\+01:00 +convolution_torch.py\n", printed)
    assert "Blackboard download: 11 students, 1 with several attempts; latest taken." in printed
    assert main([*command, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert len(data["students"]) == 11
    assert HandIn.from_json({k: v for k, v in data["students"][0].items() if k != "absent"}).platform == "blackboard"
    assert main(["collect", "a1", str(tmp_path / "class"), "--from", "moodle"]) == 2
    assert capsys.readouterr().err.endswith("class is no Moodle download.\n")
    with pytest.raises(SystemExit):
        main([*command, "--timezone", "Europe/Nowhere"])


def test_a_group_is_graded_once_and_not_again_while_nothing_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "in", {"Team_9_assignsubmission_file/convolution.py": "x = 1\n"})
    (tmp_path / "roster.csv").write_text("id,group\n1,Team\n2,Team\n", encoding="utf-8")
    tasks: list[Task] = []

    def here(setting: Setting, given: list[Task], _: int) -> Iterator[Graded]:
        tasks.extend(given)
        grader = Grader(setting)
        try:
            yield from map(grader.grade, given)
        finally:
            grader.close()

    monkeypatch.setattr(grading, "grade_tasks", here)
    for _ in range(2):
        run = grading.grade_class(
            "a1", [tmp_path / "in"], tmp_path / "out", seed="public", roster=tmp_path / "roster.csv"
        )
        assert [result.student for result in run.results] == ["1", "2"]
    assert [bool(task.known) for task in tasks] == [False, True]


def test_where_a_group_cannot_be_graded_each_member_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "in", {"Team_9_assignsubmission_file/convolution.py": "x = 1\n"})
    (tmp_path / "roster.csv").write_text("id,group\n1,Team\n2,Team\n", encoding="utf-8")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "submission")

    monkeypatch.setattr(grading, "keep", full)
    run = grading.grade_class("a1", [tmp_path / "in"], tmp_path / "out", seed="public", roster=tmp_path / "roster.csv")
    sentence = "What was handed in cannot be kept: submission: No space left on device."
    assert [(result.student, result.infrastructure) for result in run.results] == [("1", sentence), ("2", sentence)]
    assert report_class(tmp_path / "out").results == run.results
