"""A criterion that is voided after the deadline, and hand-ins that are the same but for names and layout."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest

from autograder import store
from autograder.cli import main
from autograder.collect.entry import HANDED_IN, HandIn, Person
from autograder.course import CourseError
from autograder.exports.feedback import markdown
from autograder.fingerprint import MIN_STATEMENTS, fingerprint
from autograder.results import CriterionResult, ExerciseResult, RunRecord, SubmissionResult, from_gradescope
from autograder.void import read_void

PAID = "[points]\nmain = { values = 6, errors = 4 }\nother = { values = 2 }\n"
REASON = "The handout asks for something else."
VOID = f'[void]\nmain.errors = "{REASON}"\n'


def graded(student: str, values: bool, errors: bool, status: str = "failed") -> SubmissionResult:
    main_criteria = (
        CriterionResult("values", 6, values, "" if values else "Far off."),
        CriterionResult("errors", 4, errors, "" if errors else "No error is raised."),
    )
    exercises = (
        ExerciseResult("main", "topic", "passed" if values and errors else status, main_criteria),
        ExerciseResult("other", "topic", status, (CriterionResult("values", 2, False, "Far off."),)),
    )
    return SubmissionResult(student, "a1_first", "A title", exercises)


@pytest.fixture
def course(tmp_path: Path) -> Path:
    (tmp_path / "solutions" / "a1_first").mkdir(parents=True)
    settings(tmp_path, "")
    out = tmp_path / "grades"
    for result in (
        graded("both", True, True),
        graded("first", True, False),
        graded("none", False, False),
        graded("blank", False, False, "not started"),
        graded("absent", False, False, "not handed in"),
    ):
        store.write_results(out / result.student, result, RunRecord({"grader": "x"}))
    store.write_json(out / "run.json", {"assignment": "a1_first"})
    return tmp_path


def settings(course: Path, void: str) -> None:
    (course / "solutions" / "a1_first" / "assignment.toml").write_text(PAID + void, encoding="utf-8")


def report(course: Path) -> dict[str, str]:
    assert main(["--course", str(course), "report", str(course / "grades"), "--quiet"]) == 0
    with (course / "grades" / "grades.csv").open(encoding="utf-8", newline="") as file:
        return {row["student"]: row["score"] for row in csv.DictReader(file)}


def test_everyone_gets_it_and_the_results_keep_what_it_said(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = report(course)
    assert before == {"both": "10", "first": "6", "none": "0", "blank": "0", "absent": "0"}
    shutil.copytree(course / "grades", course / "old")
    settings(course, VOID)
    keys = {path: path.read_bytes() for path in (course / "grades").glob("*/run.json")}
    capsys.readouterr()
    # who handed in nothing is not part of it
    assert report(course) == {"both": "10", "first": "10", "none": "4", "blank": "4", "absent": "0"}
    assert capsys.readouterr().err == f"Counts in full for everyone: main errors ({REASON}).\n"
    assert {path: path.read_bytes() for path in keys} == keys
    data = json.loads((course / "grades" / "first" / "results.json").read_text(encoding="utf-8"))
    test = data["tests"][1]
    assert (data["score"], test["score"], test["status"]) == (10, 4, "passed")
    assert test["output"] == f"Counts in full for everyone: {REASON} No error is raised."
    kept = from_gradescope(data).exercises[0].criteria[1]
    assert (kept.passed, kept.message, kept.void) == (False, "No error is raised.", REASON)
    page = (course / "grades" / "first" / "feedback.html").read_text(encoding="utf-8")
    assert f"Counts in full for everyone: {REASON}" in page
    assert REASON in (course / "grades" / "report.html").read_text(encoding="utf-8")
    assert f"Counts in full for everyone: {REASON}" in markdown(from_gradescope(data))

    assert main(["diff", str(course / "old"), str(course / "grades")]) == 0
    text = capsys.readouterr().out
    assert f"first: 6 -> 10 (void)\n    main errors: counts in full for everyone ({REASON})" in text
    assert "blank: 0 -> 4 (void)" in text
    assert "absent" not in text

    settings(course, "")
    assert report(course) == before
    again = (course / "grades" / "first" / "results.json").read_bytes()
    assert again == (course / "old" / "first" / "results.json").read_bytes()


def test_points_by_hand_come_after_it(course: Path) -> None:
    settings(course, VOID)
    (course / "grades" / "overrides.csv").write_text("student,exercise,points,reason\nfirst,main,7,an appeal\n")
    assert report(course)["first"] == "7"


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (
            "[void]\nmani.errors = 'x'",
            "void.mani: there is no such exercise with points (do you mean main?); there are main, other",
        ),
        (
            "[void]\nmain.error = 'x'",
            "void.main.error: there is no such criterion (do you mean errors?); there are values, errors",
        ),
        ("[void]\nmain = 'x'", 'void.main is "x"; a criterion is voided, as in convolve.errors = "the reason"'),
        ("[void]\nmain.errors = ' '", 'void.main.errors is " ", not the reason that students read'),
        ("[void]\nmain.errors = 4", "void.main.errors is 4, not the reason that students read"),
        ("[[void]]", 'void is a list, not a table [void] with lines such as convolve.errors = "the reason"'),
    ],
)
def test_a_slip_is_one_sentence(course: Path, table: str, sentence: str) -> None:
    settings(course, table)
    file = course / "solutions" / "a1_first" / "assignment.toml"
    with pytest.raises(CourseError) as caught:
        read_void(file)
    assert str(caught.value) == f"{file}: {sentence}."


STUB = '''import numpy as np


def blur(x: np.ndarray, *, size: int = 3) -> np.ndarray:
    """What it does."""
    raise NotImplementedError("not started")


def scale(x):
    raise NotImplementedError("not started")
'''
ONE = '''import numpy as np

def _window(x, start, size):
    return x[start : start + size]

def blur(x: np.ndarray, *, size: int = 3) -> np.ndarray:
    """What it does."""
    # with a loop
    total = np.zeros(len(x))
    for start in range(len(x)):
        piece = _window(x, start, size)
        if len(piece) < size:
            continue
        total[start] = piece.sum()
    total = total / size
    return total

def scale(x):
    raise NotImplementedError("not started")
'''
RENAMED = '''import numpy
def scale(values):
    """My own text."""
    raise NotImplementedError("not started")
def blur(values, *, size=3):
    out: list = numpy.zeros(len(values))
    for k in range(len(values)):
            w = (helper(values, k, size))
            if len(w) < size: continue
            out[k] = w.sum()
    out = (out /
           size)
    return out
def helper(a, b, c):
    return a[b:b+c]
'''


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (RENAMED, True),
        (ONE.replace("/ size", "// size"), False),
        (ONE.replace("< size", "<= size"), False),
        (ONE.replace("piece.sum()", "piece.mean()"), False),
        (ONE.replace("range(len(x))", "range(size)"), False),
        (ONE.replace("len(piece) < size", "len(piece) < start"), False),
    ],
)
def test_names_and_layout_do_not_count_and_all_else_does(other: str, same: bool) -> None:
    assert fingerprint(ONE, STUB)
    assert (fingerprint(other, STUB) == fingerprint(ONE, STUB)) == same


def test_stubs_short_ones_and_what_is_no_python_have_no_mark() -> None:
    body = "".join(f"    x = x + {number}\n" for number in range(MIN_STATEMENTS - 2))
    assert fingerprint(STUB, STUB) == fingerprint("", STUB) == fingerprint("def", STUB) == ""
    assert fingerprint(f"def scale(x):\n{body}    return x\n", STUB) == ""
    assert fingerprint(f"def scale(x):\n    x = 2 * x\n{body}    return x\n", STUB)
    assert fingerprint(f"def scale(x):\n    return {'(' * 5000}x{')' * 5000}\n", STUB) == ""


def test_groups_are_listed_for_staff_and_those_who_handed_in_together_count_once(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = course / "grades"
    pair = (Person(name="mate1"), Person(name="mate2"))
    marks = {"both": "m1", "first": "m1", "none": "m2", "blank": "", "mate1": "m3", "mate2": "m3"}
    for student, mark in marks.items():
        record = RunRecord({"grader": "x"}, fingerprints={"topic": mark} if mark else {})
        store.write_results(out / student, graded(student, True, False), record)
        mates = pair if student.startswith("mate") else (Person(name=student),)
        store.write_json(out / student / HANDED_IN, HandIn("canvas", student, mates, source="g" * len(mates)).to_json())
    report(course)
    said = "The same but for names and layout: 1 group of 2 students"
    assert capsys.readouterr().err == f"{said}, listed in {out / 'similar.csv'}.\n"
    assert (out / "similar.csv").read_text() == "group,part,student\n1,topic,both\n1,topic,first\n"
    assert said in (out / "report.html").read_text(encoding="utf-8")
    assert said not in (out / "both" / "feedback.html").read_text(encoding="utf-8")
    store.write_results(out / "both", graded("both", True, True), RunRecord({"grader": "x"}))
    report(course)
    assert not (out / "similar.csv").exists()


@pytest.mark.slow
def test_it_is_found_when_a_class_is_graded(tmp_path: Path) -> None:
    source = (Path(__file__).parents[1] / "solutions" / "a1_convolution" / "convolution.py").read_text(encoding="utf-8")
    for student, text in {
        "ada": source,
        "bob": "# mine\n" + source.replace("padded", "bigger"),
        "eve": "x = 1\n",
    }.items():
        (tmp_path / "class" / student).mkdir(parents=True)
        (tmp_path / "class" / student / "convolution.py").write_text(text, encoding="utf-8")
    arguments = [str(tmp_path / "class"), "-o", str(tmp_path / "out"), "--seed", "public", "--jobs", "1", "--quiet"]
    assert main(["grade", "a1", *arguments]) == 0
    assert (
        tmp_path / "out" / "similar.csv"
    ).read_text() == "group,part,student\n1,convolution,ada\n1,convolution,bob\n"
