"""assignment.toml: each mistake in it is one sentence that names file and key; what is right is read to the digit."""

from __future__ import annotations

import shutil
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from autograder import loading
from autograder.cli import main
from autograder.course import CourseError
from autograder.deadline import Deadline
from autograder.settings import read_regrade, read_settings, remarks

ROOT = Path(__file__).parents[1]
CRITERIA = {"convolve": ["values", "errors"], "pad2d": ["zeros"]}
RIGHT = 'title = "Convolution"\n[points]\nconvolve = { values = 3, errors = 1 }\n'
NUMBER = "a number of points from 0 to 10000, with at most 9 decimals"


def convolve(points: str) -> str:
    return f'title = "Convolution"\n[points]\nconvolve = {points}\n'


MISTAKES = {
    convolve("4"): "points.convolve is 4; points go to its criteria: convolve = { values = 1, errors = 1 }",
    convolve('"4"'): 'points.convolve is "4"; points go to its criteria: convolve = { values = 1, errors = 1 }',
    convolve("[3, 1]"): "points.convolve is a list; points go to its criteria: convolve = { values = 1, errors = 1 }",
    convolve('{ values = "3", errors = 1 }'): f'points.convolve.values is "3", not {NUMBER}',
    convolve("{ values = -3, errors = 1 }"): f"points.convolve.values is -3, not {NUMBER}",
    convolve("{ values = -0.5, errors = 1 }"): f"points.convolve.values is -0.5, not {NUMBER}",
    convolve("{ values = nan, errors = 1 }"): f"points.convolve.values is NaN, not {NUMBER}",
    convolve("{ values = 3, errors = inf }"): f"points.convolve.errors is Infinity, not {NUMBER}",
    convolve("{ values = 3, errors = true }"): f"points.convolve.errors is true, not {NUMBER}",
    convolve("{ values = 3, errors = {} }"): f"points.convolve.errors is a table, not {NUMBER}",
    convolve("{ values = 3, errors = 10001 }"): f"points.convolve.errors is 10001, not {NUMBER}",
    convolve("{ values = 3, errors = 0.1234567891 }"): f"points.convolve.errors is 0.1234567891, not {NUMBER}",
    convolve("{ values = 3, errors = 2027-03-01 }"): f"points.convolve.errors is 2027-03-01, not {NUMBER}",
    convolve("{ values = 3 }"): "points.convolve has no points for its criterion errors; they may be 0",
    convolve("{}"): "points.convolve has no points for its criterion values; they may be 0",
    convolve("{ value = 3, errors = 1 }"): "points.convolve.value: there is no such criterion (do you mean values?); "
    "there are values, errors",
    convolve("{ values = 3, errors = 1, speed = 1 }"): "points.convolve.speed: there is no such criterion; "
    "there are values, errors",
    RIGHT + "pad2 = { zeros = 1 }\n": "points.pad2: there is no such exercise (do you mean pad2d?); "
    "there are convolve, pad2d",
    RIGHT + "polish = { zeros = 1 }\n": "points.polish: there is no such exercise; there are convolve, pad2d",
    RIGHT + "due = 2027-03-01\n": "due stands below the line [points]: it belongs above it",
    RIGHT.replace("[points]\n", ""): "convolve stands above the line [points]: the points of exercises belong below it",
    "": "title is missing",
    "[points]\n": "title is missing",
    'title = "Convolution"\n': "the table [points] is missing",
    'title = "Convolution"\n[points]\n': "[points] has no line: nothing would be graded",
    'title = "Convolution"\npoints = 100\n': "points is 100, not a table [points] with a line for each exercise",
    "title = 1\n[points]\n": "title is 1, not a text",
    'title = " "\n[points]\n': 'title is " ", not a text',
    'visibility = "visable"\n' + RIGHT: "visibility = visable: there is no such visibility (do you mean visible?); "
    "there are visible, hidden, after_due_date, after_published",
    "visibility = true\n" + RIGHT: 'visibility is true, not a text such as "visible"',
    "deu = 2027-03-01\n" + RIGHT: "deu: there is no such setting (do you mean due?); "
    "there are title, visibility, due, timezone, late, regrade, points, void",
    "weight = 2\n" + RIGHT: "weight: there is no such setting; "
    "there are title, visibility, due, timezone, late, regrade, points, void",
    'due = "1.3.2027"\n' + RIGHT: "due is not a date and time such as 2027-04-26T23:59:00+02:00",
    "due = 0001-01-01T00:00:00+14:00\n" + RIGHT: "due is 0001-01-01 00:00:00+14:00, and not in the years 1971 to 9998",
    "due = 9999-12-31\n" + RIGHT: "due is 9999-12-31, and not in the years 1971 to 9998",
    f"{'x' * 999} = 1\n" + RIGHT: f"{'x' * 300}…",
    "due = 2027-03-01T12:00:00\n" + RIGHT: "due is 2027-03-01 12:00:00, without an offset such as +02:00: add it, "
    'or set timezone = "Europe/Berlin" here or in course.toml',
    "due = 2027-03-01\n" + RIGHT: "due is 2027-03-01, without an offset such as +02:00: add it, "
    'or set timezone = "Europe/Berlin" here or in course.toml',
    "due = 12:00:00\n" + RIGHT: "due is not a date and time such as 2027-04-26T23:59:00+02:00",
    "due = 2027-02-30\n" + RIGHT: "it is not valid TOML: Invalid date or datetime (at line 1, column 7), "
    "in “due = 2027-02-30”",
    'title = "Twice"\n' + RIGHT: "it is not valid TOML: A key stands there twice (at line 2, column 22), "
    "in “title = \"Convolution\"”",
    RIGHT + "convolve = {}\n": "it is not valid TOML: A key stands there twice (at line 4, column 14), "
    "in “convolve = {}”",
    RIGHT + "pad2d = { zeros = 1\n": "it is not valid TOML: Unclosed inline table (at line 4, column 20), "
    "in “pad2d = { zeros = 1”",
    RIGHT + "pad2d: 1\n": "it is not valid TOML: Expected '=' after a key in a key/value pair (at line 4, column 6), "
    "in “pad2d: 1”",
    'title = "Faltung für alle"'.encode("latin-1").decode("utf-8", "surrogateescape"): "it is not UTF-8 text",
}  # fmt: skip


def write(file: Path, text: str) -> Path:
    file.write_text(text, encoding="utf-8", errors="surrogateescape")
    return file


@pytest.mark.parametrize(("text", "sentence"), MISTAKES.items(), ids=MISTAKES.values())
def test_a_mistake_is_one_sentence_with_file_and_key(tmp_path: Path, text: str, sentence: str) -> None:
    file = write(tmp_path / "assignment.toml", text)
    with pytest.raises(CourseError) as caught:
        read_settings(file, CRITERIA)
    assert str(caught.value) == f"{file}: {sentence}."


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course that consists of assignment 1."""
    for folder in ("solutions", "assignments"):
        shutil.copytree(ROOT / folder / "a1_convolution", tmp_path / folder / "a1_convolution")
    (tmp_path / "data").symlink_to(ROOT / "data")
    return tmp_path


def test_a_mistake_ends_every_command_with_code_2(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(course / "solutions" / "a1_convolution" / "assignment.toml", convolve("4"))
    sentence = f"{file}: {MISTAKES[convolve('4')]}."
    for command in (["grade", "a1", "x", "-o", "y"], ["demo", "a1", "-o", "y"], ["audit", "a1"], ["build"]):
        assert main(["--course", str(course), *command]) == 2
        assert capsys.readouterr() == ("", f"{sentence}\n")
    assert main(["--course", str(course), "build", "--check"]) == 1
    assert capsys.readouterr() == (f"{sentence[:-1]}\n", "")


def test_what_is_right_is_read(tmp_path: Path) -> None:
    text = f'visibility = "hidden"\ndue = 2027-03-01T23:59:00+01:00\n{convolve("{ values = 0.1, errors = 1e1 }")}'
    for start in ("", "\ufeff"):
        settings = read_settings(write(tmp_path / "assignment.toml", start + text.replace("\n", "\r\n")), CRITERIA)
        assert settings.title == "Convolution"
        assert settings.points == {"convolve": {"values": 0.1, "errors": 10}}
        assert settings.visibility == "hidden"
        assert settings.deadline.due == datetime(2027, 3, 1, 23, 59, tzinfo=timezone(timedelta(hours=1)))
    settings = read_settings(write(tmp_path / "assignment.toml", RIGHT), CRITERIA)
    assert (settings.visibility, settings.deadline) == ("visible", Deadline())


def test_what_may_not_be_meant_is_said_and_not_refused(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert remarks(loading.load("a1", course)) == []
    file = course / "solutions" / "a1_convolution" / "assignment.toml"
    shipped = file.read_text(encoding="utf-8")
    changed = shipped.replace("convolve = { values = 3,", "convolve = { values = 2.3,")
    write(file, changed.replace("col2im = { values = 4 }", "col2im = { values = 9 }"))
    said = [
        "solutions/a1_convolution/assignment.toml: the points add up to 99.3 without bonus, not to 100.",
    ]
    assert remarks(loading.load("a1", course)) == said
    assert main(["--course", str(course), "build"]) == 0
    capsys.readouterr()
    assert main(["--course", str(course), "build", "--check"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Everything generated is fresh.",
        *(f"Remark: {sentence}" for sentence in said),
    ]


def test_what_may_not_be_meant_is_said_before_grading(
    course: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    file = course / "solutions" / "a1_convolution" / "assignment.toml"
    write(file, 'title = "Convolution"\n[points]\nimpulse_response = { values = 0.3 }\n')
    folder = tmp_path_factory.mktemp("class")
    (folder / "ann.py").write_text("def impulse_response(system, length):\n    return 0\n", encoding="utf-8")
    out = tmp_path_factory.mktemp("out")
    assert main(["--course", str(course), "grade", "a1", str(folder), "-o", str(out), "--seed", "own" * 6]) == 0
    taken, said, _ = capsys.readouterr().err.splitlines()  # and that the seed could be guessed
    assert taken == "Plain folder: 1 student."
    assert said == "solutions/a1_convolution/assignment.toml: the points add up to 0.3 without bonus, not to 100."
    assert '"ann",0,0.3,0,0,0,0,"graded"' in (out / "grades.csv").read_text(encoding="utf-8")


def test_whom_to_ask_for_a_regrade_stands_in_the_course_or_the_assignment(tmp_path: Path) -> None:
    file = tmp_path / "solutions" / "a1" / "assignment.toml"
    file.parent.mkdir(parents=True)
    file.write_text(RIGHT, encoding="utf-8")
    assert read_regrade(file) == ""
    (tmp_path / "solutions" / "course.toml").write_text('regrade = "Write to Ada."\n', encoding="utf-8")
    assert read_regrade(file) == "Write to Ada."
    file.write_text('regrade = " Write to Bob. "\n' + RIGHT, encoding="utf-8")
    assert read_regrade(file) == "Write to Bob."
    file.write_text("regrade = 3\n" + RIGHT, encoding="utf-8")
    for read in (read_regrade, lambda place: read_settings(place, CRITERIA)):
        with pytest.raises(CourseError, match="regrade is 3, not a sentence of at most 300 characters"):
            read(file)
