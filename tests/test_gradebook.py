"""The gradebook over three assignments: every number is worked out by hand here."""

from __future__ import annotations

import csv
import dataclasses
import io
import re
from pathlib import Path

import pytest

from autograder import store
from autograder.cli import main
from autograder.collect.entry import HANDED_IN, HandIn, Person
from autograder.gradebook.policy import KEYS
from autograder.results import CriterionResult, ExerciseResult, Late, NotGraded, RunRecord, SubmissionResult
from autograder.toml import parsed

POSSIBLE = {"a1_first": 40.0, "a2_second": 50.0, "a3_third": 100.0}
SETTINGS = """
[gradebook]
weights = { a1 = 20, a2_second = 30, a3 = 50 }
drop_lowest = 1
bonus_cap = 10
decimals = 1
rounding = "half_up"
"""
# Points before the late rules, what they take, free days; “-” is somebody who was not graded there at all.
#
# 007  a1 36/40 = 90 %, a2 (45 − 5)/50 = 80 %, a3 70/100 = 70 % is dropped: (20·90 + 30·80) / 50 = 84
# 008  a1 48/40 = 120 %, of which 110 % count; a2 25/50 = 50 % is dropped; a3 90 %: (20·110 + 50·90) / 70 = 95.714…
# 009  a1 30/40 = 75 %, a2 absent = 0 % is dropped, a3 33.25 %: (20·75 + 50·33.25) / 70 = 45.178…
# 010  not in a1 at all = 0 % is dropped, a2 40/50 = 80 %, a3 (61 − 10) %: (30·80 + 50·51) / 80 = 61.875
# 011  a1 20/40 and a3 50/100 are both 50 %: the one of more weight is dropped; a2 30/50: (20·50 + 30·60) / 50 = 56
# 012  not graded in a2: no total
# 013  handed in nothing anywhere: no part of mean and median, (84 + 95.7 + 45.2 + 61.9 + 56) / 5 = 68.56
TERM = {
    "007": ("José O'Neil-Cruz", "36 0 0", "45 5 1", "70 0 0", "84.0"),
    "008": ('=HYPERLINK("x"), Ada', "48 0 0", "25 0 2", "90 0 1", "95.7"),
    "009": ("Kim Lee", "30 0 0", "absent", "33.25 0 0", "45.2"),
    "010": ("Kim Lee", "-", "40 0 0", "61 10 0", "61.9"),
    "011": ("Zoë Müller", "20 0 0", "30 0 0", "50 0 0", "56.0"),
    "012": ("Łukasz Ångström", "40 0 0", "failed", "100 0 0", ""),
    "013": ("Uma Quiet", "absent", "absent", "absent", "0.0"),
}
DROPPED = {"007": "a3", "008": "a2", "009": "a2", "010": "a1", "011": "a3", "012": "", "013": "a3"}


def write(out: Path, assignment: str, key: str, name: str, facts: str) -> None:
    folder, possible = store.folder_of(out, key), POSSIBLE[assignment]
    person = Person(key, name, section="1-2" if key < "010" else "")
    if facts == "failed":
        lost = NotGraded(key, assignment, "A title", "The sandbox did not start.")
        store.write_results(folder, lost.result(), RunRecord(not_graded=lost))
    else:
        raw, off, days = map(float, facts.split()) if facts != "absent" else (0.0, 0.0, 0.0)
        main_points, bonus = min(raw, possible), max(0.0, raw - possible)
        criteria = (
            CriterionResult("won", main_points, True),
            CriterionResult("lost", possible - main_points, False, "Far off."),
        )
        extra = ExerciseResult("extra", "topic", "passed", (CriterionResult("values", bonus, True),), bonus=True)
        late = Late(off, 1, int(days), sentence="Late.") if off or days else None
        exercises = (ExerciseResult("main", "topic", "failed", criteria), extra)
        if facts == "absent":
            exercises = tuple(dataclasses.replace(one, status="not handed in") for one in exercises)
        result = SubmissionResult(key, assignment, "A title", exercises, late=late)
        store.write_results(folder, result, RunRecord())
    hand_in = HandIn("canvas", key, (person,), source="" if facts == "absent" else "x")
    store.write_json(folder / HANDED_IN, hand_in.to_json())


@pytest.fixture
def term(tmp_path: Path) -> Path:
    for index, assignment in enumerate(POSSIBLE):
        settings = tmp_path / "course" / "solutions" / assignment / "assignment.toml"
        settings.parent.mkdir(parents=True)
        settings.write_text("", encoding="utf-8")
        out = tmp_path / "grades" / assignment[:2]
        for key, (name, *facts, _) in TERM.items():
            if facts[index] != "-":
                write(out, assignment, key, name, facts[index])
        store.write_json(out / "run.json", {"assignment": assignment})
    (tmp_path / "course" / "solutions" / "course.toml").write_text(SETTINGS, encoding="utf-8")
    return tmp_path


def gradebook(term: Path, *names: str) -> int:
    folders = [f"{name}={term / 'grades' / name}" for name in names or ("a1", "a2", "a3")]
    return main(["--course", str(term / "course"), "gradebook", *folders, "-o", str(term / "book.csv")])


def rows(term: Path) -> dict[str, dict[str, str]]:
    """The table as Excel reads it: UTF-8 by its mark; an apostrophe says that a cell is text."""
    data = (term / "book.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")
    found = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    return {row["student"].removeprefix("'"): row for row in found}


def test_totals_are_those_worked_out_by_hand(term: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert gradebook(term) == 1  # one has no total
    said = capsys.readouterr().out
    table = rows(term)
    assert list(table) == list(TERM)
    for key, (name, first, second, third, total) in TERM.items():
        row = table[key]
        assert (key, row["total"], row["dropped"]) == (key, total, DROPPED[key])
        assert row["name"] == (f"'{name}" if name.startswith("=") else name)
        assert (row["student"], row["id"]) == (f"'{key}", f"'{key}" if key != "010" else "'010")
        for short, facts in (("a1", first), ("a2", second), ("a3", third)):
            if facts == "failed":
                assert row[f"{short} raw"] == row[short] == ""
            elif facts in ("absent", "-"):
                assert (row[f"{short} raw"], row[short]) == ("0", "0")
                assert f"{short}: " in row["notes"]
            else:
                raw, off, _ = map(float, facts.split())
                assert (float(row[f"{short} raw"]), float(row[short])) == (raw, raw - off)
    assert (table["007"]["late days"], table["008"]["late days"], table["007"]["section"]) == ("1", "3", "'1-2")
    assert "Kim Lee (009): a2: nothing handed in, 0 points." in said
    assert "Kim Lee (010): a1: nobody of this key was graded, 0 points." in said
    assert "Łukasz Ångström (012): a2: not graded: The sandbox did not start." in said
    assert "Perhaps one student, kept apart: 009 and 010." in said
    assert not re.search(r'(?:^|,)"?[=+\-@\t]', (term / "book.csv").read_text(encoding="utf-8-sig"), re.MULTILINE)


def test_the_page_says_the_rules_and_every_total(term: Path) -> None:
    gradebook(term)
    page = (term / "book.html").read_text(encoding="utf-8")
    for text in ("a1 20 %, a2 30 %, a3 50 %", "The lowest percentage does not count.", "at most 10 %", "1 decimal."):
        assert text in page
    for *_, total in TERM.values():
        assert f'data-value="{total}"' in page or not total
    assert "no total" in page
    assert re.search(r"<dt>mean total</dt><dd>68\.6<", page)
    assert re.search(r"<dt>median total</dt><dd>61\.9<", page)
    assert "1 handed in nothing readable in any assignment, and counts in no mean or median." in page
    assert "=HYPERLINK(&#34;x&#34;)" in page
    assert not re.search(r'(?:src|href)="|url\(|@import', page)


@pytest.mark.parametrize(
    ("settings", "total"),
    [
        ("", {"007": "80.00", "008": "86.67", "009": "36.08", "010": "43.67", "011": "53.33"}),  # equal; 120 counts
        (
            '[gradebook]\ndecimals = 0\nrounding = "up"\n',
            {"007": "80", "008": "87", "009": "37", "010": "44", "011": "54"},
        ),
        (
            '[gradebook]\ndecimals = 0\nrounding = "down"\n',
            {"007": "80", "008": "86", "009": "36", "010": "43", "011": "53"},
        ),
        ("[gradebook]\nbonus_cap = 0\n", {"008": "80.00"}),
        ("[gradebook]\nweights = { a1 = 1, a2 = 0, a3 = 0 }\n", {"007": "90.00", "010": "0.00"}),
        ("[gradebook]\ndrop_lowest = 2\n", {"007": "90.00", "008": "120.00", "009": "75.00"}),
    ],
)
def test_each_rule_alone(term: Path, settings: str, total: dict[str, str]) -> None:
    (term / "course" / "solutions" / "course.toml").write_text(settings, encoding="utf-8")
    gradebook(term)
    table = rows(term)
    assert {key: table[key]["total"] for key in total} == total


def test_what_is_not_there_yet_does_not_count(term: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert gradebook(term, "a1", "a3") == 0
    assert "Without a2_second, whose weight does not count here." in capsys.readouterr().out
    assert rows(term)["007"]["total"] == "90.0"  # 70 is dropped


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ("gradebook = 1", "gradebook is 1, not a table [gradebook]"),
        (
            "[gradebook]\ndrop_lowst = 1",
            "gradebook.drop_lowst: there is no such setting (do you mean drop_lowest?); "
            "there are weights, drop_lowest, bonus_cap, decimals, rounding",
        ),
        ("[gradebook]\ndrop_lowest = 1.5", "gradebook.drop_lowest is 1.5, not a whole number from 0 to 100"),
        ("[gradebook]\ndecimals = 5", "gradebook.decimals is 5, not a whole number from 0 to 4"),
        (
            "[gradebook]\nbonus_cap = -1",
            "gradebook.bonus_cap is -1, not a number from 0 to 10000, with at most 9 decimals",
        ),
        (
            '[gradebook]\nrounding = "half"',
            "gradebook.rounding = half: there is no such rounding (do you mean half_up?); there are half_up, up, down",
        ),
        ("[gradebook]\nweights = 3", "gradebook.weights is 3, not a table such as { a1 = 40, a2 = 60 }"),
        (
            "[gradebook]\nweights = { a9 = 1 }",
            "gradebook.weights.a9: there is no such assignment; there are a1, a2, a3",
        ),
        ("[gradebook]\nweights = { a1 = 1, a1_first = 1 }", "gradebook.weights has two weights for a1_first"),
        ("[gradebook]\nweights = { a1 = 1, a2 = 1 }", "gradebook.weights has no weight for a3_third; it may be 0"),
        (
            "[gradebook]\nweights = { a1 = 0, a2 = 0, a3 = 0 }",
            "gradebook.weights gives no weight to any assignment of this gradebook",
        ),
    ],
)
def test_a_slip_is_one_sentence(term: Path, settings: str, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = term / "course" / "solutions" / "course.toml"
    file.write_text(settings + "\n", encoding="utf-8")
    assert gradebook(term) == 2
    assert capsys.readouterr().err == f"{file}: {sentence}.\n"
    assert not (term / "book.csv").exists()


def test_wrong_folders_are_one_sentence(term: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def refused(*arguments: str) -> str:
        assert main(["--course", str(term / "course"), "gradebook", *arguments, "-o", str(term / "book.csv")]) == 2
        return capsys.readouterr().err

    grades = term / "grades"
    for name in ("a1", "a1/", "assignments/a1"):
        assert refused(f"{name}={grades / 'a2'}") == f"{grades / 'a2'} holds a2_second, not a1.\n"
    assert "is given twice" in refused(f"a1={grades / 'a1'}", f"a1_first={grades / 'a1'}")
    assert "drop_lowest is 1: none of 1 assignments would count." in refused(f"a1={grades / 'a1'}")
    with pytest.raises(SystemExit):
        main(["gradebook", "grades/a1", "-o", "book.csv"])
    assert "is not a name and a folder, such as a1=grades/a1" in capsys.readouterr().err


def test_the_example_of_the_course_is_a_setting() -> None:
    text = (Path(__file__).parents[1] / "solutions" / "course.toml").read_text(encoding="utf-8")
    given = parsed(re.sub(r"(?m)^# (?=\[|\w+ = )", "", text).encode())["gradebook"]
    assert sum(given["weights"].values()) == 100
    assert set(given) == set(KEYS)
