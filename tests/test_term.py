"""A term played through: 60 students in two sections, two assignments, extensions, groups, resubmissions, free days."""

from __future__ import annotations

import csv
import json
import re
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from autograder import store
from autograder.cli import main
from autograder.collect.entry import HANDED_IN, HandIn, Person
from autograder.decimals import total
from autograder.results import CriterionResult, ExerciseResult, NotGraded, RunRecord, SubmissionResult

BERLIN = ZoneInfo("Europe/Berlin")
COURSE = """
timezone = "Europe/Berlin"
[late]
grace = { minutes = 15 }
unit = "day"
rate = 10
floor = 20
cutoff = { days = 7 }
days = 3
max_days = 2
"""
ASSIGNMENTS = {
    "a1_first": "due = 2027-03-01T23:59:00\n",
    "a2_second": 'due = 2027-04-05T23:59:00\n[late]\nrate = 20\nbase = "earned"\nfloor = 0\n',
}
POSSIBLE = {"a1_first": 40.0, "a2_second": 50.0}
EXTENSIONS = {
    "a1_first": "s18,2027-03-05T23:59,ill\ns19,2027-03-05T23:59,ill\ns20,2027-03-05T23:59,ill\n",
    "a2_second": "s21,2027-04-10T23:59,\ns22,2027-04-10T23:59,\ns23,2027-04-10T21:59Z,\ns39,2027-04-10T23:59,ill\n",
}
OVERRIDES = {"a1_first": "s26,main,28,the handout was unclear\n", "a2_second": "s27,main,40,accepted\n"}
BEFORE_OVERRIDE = {("a1_first", "s26"): 20.0, ("a2_second", "s27"): 10.0}
NOT_GRADED = ("a1_first", "s29")
ATTEMPTS = {"s24": 2, "s25": 3}
OF_FILES = "2027-05-01T12:00:00+00:00"  # the date of every newest file: late in both

# Worked out by hand. A late day of assignment 1 costs 4 points (10 % of 40), down to 8 (20 %); one of assignment 2
# costs a fifth of what was earned. Late days are counted from 00:14; at most two of the term's three free days go into
# one assignment. From s31 on, two and two hand in assignment 2 together. “-” is a hand-in without a platform's time,
# “absent” none at all.
TERM = """
     assignment 1                            assignment 2
     raw           handed in     off days    after         raw           handed in     off           days after
s01  40            03-01 20:00   0    0      40            50            04-05 20:00   0             0    50
s02  38.5          03-01 23:59   0    0      38.5          47.5          04-05 23:59   0             0    47.5
s03  36            03-02 00:14   0    0      36            45            04-06 00:14   0             0    45
s04  36            03-02 00:20   0    1      36            44            04-06 12:00   0             1    44
s05  35            03-03 00:14   0    1      35            40            04-07 12:00   0             2    40
s06  35            03-03 00:15   0    2      35            40            04-07 12:00   8             1    32
s07  33            03-04 12:00   4    2      29            30            04-08 12:00   12            1    18
s08  30            03-06 12:00   12   2      18            42.5          04-05 10:00   0             0    42.5
s09  18            03-06 12:00   10   2      8             25            04-10 12:00   20            1    5
s10  5             03-06 12:00   0    2      5             10            04-06 12:00   0             1    10
s11  40            03-08 23:58   20   2      20            50            04-12 23:58   50            1    0
s12  40            03-09 00:00   40   0      0             50            04-13 00:00   50            0    0
s13  45            03-01 08:00   0    0      45            49            04-08 12:00   9.8           2    39.2
s14  45            03-04 12:00   4    2      41            48            04-05 12:00   0             0    48
s15  0             03-04 12:00   0    2      0             0             04-08 12:00   0             1    0
s16  0             absent        0    0      0             41            04-07 12:00   0             2    41
s17  39            -             0    0      39            37            -             0             0    37
s18  34            03-05 18:00   0    0      34            46            04-06 12:00   0             1    46
s19  34            03-06 12:00   0    1      34            46            04-08 12:00   9.2           2    36.8
s20  34            03-08 12:00   4    2      30            44.5          04-06 12:00   0             1    44.5
s21  31            03-03 12:00   0    2      31            43            04-10 12:00   0             0    43
s22  31.25         03-04 12:00   4    2      27.25         43            04-11 12:00   0             1    43
s23  32.75         03-06 12:00   12   2      20.75         20            04-12 12:00   4             1    16
s24  37            03-03 12:00   0    2      37            45.5          04-07 12:00   9.1           1    36.4
s25  38            03-02 12:00   0    1      38            45.5          04-07 12:00   0             2    45.5
s26  28            03-04 12:00   4    2      24            33            04-05 09:00   0             0    33
s27  36.5          03-01 21:00   0    0      36.5          40            04-08 12:00   8             2    32
s28  33.333333333  03-04 12:00   4    2      29.333333333  33.333333333  04-08 12:00   13.333333333  1    20
s29  not-graded    03-03 12:00   -    -      -             26            04-07 12:00   5.2           1    20.8
s30  0             absent        0    0      0             0             absent        0             0    0
s31  40            03-01 10:00   0    0      40            50            04-07 12:00   0             2    50
s32  39            03-04 12:00   4    2      35            50            04-07 12:00   10            1    40
s33  38            03-02 12:00   0    1      38            48            04-08 12:00   9.6           2    38.4
s34  37            03-03 12:00   0    2      37            48            04-08 12:00   19.2          1    28.8
s35  36            03-01 12:00   0    0      36            46            04-05 23:00   0             0    46
s36  36            03-06 12:00   12   2      24            46            04-05 23:00   0             0    46
s37  30            03-09 00:00   30   0      0             42            04-10 12:00   25.2          2    16.8
s38  30            03-08 23:58   20   2      10            42            04-10 12:00   33.6          1    8.4
s39  25            03-01 20:00   0    0      25            44            04-10 12:00   0             0    44
s40  25            03-02 00:10   0    0      25            44            04-10 12:00   26.4          2    17.6
s41  0             absent        0    0      0             38            04-06 12:00   0             1    38
s42  27            03-02 00:20   0    1      27            38            04-06 12:00   0             1    38
s43  28            -             0    0      28            35            -             0             0    35
s44  28.5          03-01 23:58   0    0      28.5          35            -             0             0    35
s45  22            03-04 12:00   4    2      18            24            04-07 12:00   4.8           1    19.2
s46  10            03-04 12:00   2    2      8             24            04-07 12:00   4.8           1    19.2
s47  9             03-04 12:00   1    2      8             50            04-12 23:58   50            1    0
s48  8             03-04 12:00   0    2      8             50            04-12 23:58   50            1    0
s49  40            03-01 23:59   0    0      40            50            04-06 00:15   0             1    50
s50  40            03-02 00:00   0    0      40            50            04-06 00:15   0             1    50
s51  12.5          03-03 12:00   0    2      12.5          31.5          04-07 12:00   6.3           1    25.2
s52  12.5          03-02 12:00   0    1      12.5          31.5          04-07 12:00   0             2    31.5
s53  20            03-01 12:00   0    0      20            0             absent        0             0    0
s54  21            03-04 12:00   4    2      17            0             absent        0             0    0
s55  19            03-06 12:00   11   2      8             15            04-08 12:00   6             1    9
s56  20            03-06 12:00   12   2      8             15            04-08 12:00   6             1    9
s57  45            03-08 23:58   20   2      25            50            04-08 12:00   20            1    30
s58  45            03-09 00:00   45   0      0             50            04-08 12:00   10            2    40
s59  40            03-02 00:15   0    1      40            50            04-09 12:00   20            2    30
s60  40            03-03 00:14   0    1      40            50            04-09 12:00   20            2    30
"""


def rows(assignment: str) -> dict[str, list[str]]:
    """Student → raw, handed in, off, days, after."""
    lines = [re.split(r"\s{2,}", line) for line in TERM.strip().splitlines()[2:]]
    first = 1 if assignment == "a1_first" else 6
    return {line[0]: line[first : first + 5] for line in lines}


def result(assignment: str, student: str, raw: str) -> tuple[SubmissionResult, RunRecord]:
    if raw == "not-graded":
        lost = NotGraded(student, assignment, "A title", "The sandbox did not start.")
        return lost.result(), RunRecord(not_graded=lost)
    earned, most = BEFORE_OVERRIDE.get((assignment, student), float(raw)), POSSIBLE[assignment]
    bonus = max(0.0, earned - most)
    main_criteria = (
        CriterionResult("won", total([earned, -bonus]), True),
        CriterionResult("lost", total([most, bonus, -earned]), False, "Far off."),
    )
    exercises = (
        ExerciseResult("main", "topic", "failed", main_criteria),
        ExerciseResult("extra", "topic", "failed", (CriterionResult("values", 5, bonus > 0),), bonus=True),
    )
    return SubmissionResult(student, assignment, "A title", exercises), RunRecord({"grader": "x"}, newest=OF_FILES)


def partner(student: str) -> str:
    number = int(student[1:])
    return f"s{number + 1 if number % 2 else number - 1:02}"


def hand_in(assignment: str, student: str, when: str) -> HandIn:
    section = "A" if student <= "s30" else "B"
    group = [student, partner(student)] if section == "B" and assignment == "a2_second" else [student]
    time = datetime.strptime(f"2027-{when}", "%Y-%m-%d %H:%M").replace(tzinfo=BERLIN) if when[0].isdigit() else None
    attempt = ATTEMPTS.get(student, 1) if assignment == "a1_first" and time else None
    members = tuple(Person(id=member, section=section) for member in group)
    source = "" if when == "absent" else f"inbox/{student}"
    return HandIn("canvas", student, members, attempt, time, source=source)


@pytest.fixture
def term(tmp_path: Path) -> Path:
    (tmp_path / "course" / "solutions").mkdir(parents=True)
    (tmp_path / "course" / "solutions" / "course.toml").write_text(COURSE, encoding="utf-8")
    for name, settings in ASSIGNMENTS.items():
        folder = tmp_path / "course" / "solutions" / name
        folder.mkdir()
        (folder / "assignment.toml").write_text(settings, encoding="utf-8")
        out = tmp_path / "grades" / name[:2]
        for student, (raw, when, *_) in rows(name).items():
            place = store.folder_of(out, student)
            store.write_results(place, *result(name, student, raw))
            store.write_json(place / HANDED_IN, hand_in(name, student, when).to_json())
        store.write_json(out / "run.json", {"assignment": name})
        (out / "extensions.csv").write_text(f"student,until,reason\n{EXTENSIONS[name]}", encoding="utf-8")
        (out / "overrides.csv").write_text(f"student,exercise,points,reason\n{OVERRIDES[name]}", encoding="utf-8")
    return tmp_path


def report(term: Path, name: str) -> dict[str, dict[str, str]]:
    """The rows of grades.csv, by student, once the results are reported."""
    out = term / "grades" / name[:2]
    code = main(["--course", str(term / "course"), "report", str(out), "--quiet"])
    assert code == (1 if name == NOT_GRADED[0] else 0)
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def test_every_number_of_the_term_is_the_one_worked_out_by_hand(term: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = {
        "a1_first": "Free days spent here have changed: report a2 again.\n",
        "a2_second": "Free days spent in a1 count here.\n",
    }
    for name in ASSIGNMENTS:
        table = report(term, name)
        assert capsys.readouterr().err == said[name]
        expected = rows(name)
        assert len(table) == len(expected) == 60
        for student, (raw, _, off, days, after) in expected.items():
            row = table[student]
            got = [row["raw_score"], row["late_submission_penalty"], row["late_days"], row["score"]]
            if raw == "not-graded":
                assert got == ["", "", "", ""]
                continue
            assert (student, *got) == (student, raw, off, days, after)
            data = json.loads((store.folder_of(term / "grades" / name[:2], student) / "results.json").read_text())
            assert total([test["score"] for test in data["tests"]]) == data["score"] == float(after)
            assert data["extra_data"]["raw_score"] == float(raw)
        report(term, name)
        assert capsys.readouterr().err == (said[name] if name == "a2_second" else "")


def test_what_changes_later_is_applied_anew_and_nothing_is_graded(
    term: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ASSIGNMENTS:
        report(term, name)
    runs = {path: path.read_bytes() for path in (term / "grades").glob("*/s*/run.json")}
    (term / "grades" / "a1" / "extensions.csv").write_text(
        f"student,until,reason\n{EXTENSIONS['a1_first']}s07,2027-03-04T23:59,ill\n", encoding="utf-8"
    )
    capsys.readouterr()
    changed = report(term, "a1_first")
    assert "report a2 again" in capsys.readouterr().err
    assert (changed["s07"]["score"], changed["s07"]["late_days"]) == ("33", "0")
    # with three free days left: three days late, two of them free, a fifth of 30
    assert (report(term, "a2_second")["s07"]["score"], report(term, "a2_second")["s06"]["score"]) == ("24", "32")
    (term / "course" / "solutions" / "course.toml").write_text('timezone = "Europe/Berlin"\n', encoding="utf-8")
    settings = term / "course" / "solutions" / "a2_second" / "assignment.toml"
    settings.write_text("due = 2027-04-05T23:59:00\n", encoding="utf-8")
    without = report(term, "a2_second")
    assert all(row["score"] == row["raw_score"] for row in without.values())
    assert "nothing is taken" in without["s11"]["notes"]
    assert {path: path.read_bytes() for path in runs} == runs


def test_free_days_run_out_over_the_term(tmp_path: Path) -> None:
    """Three in all, two at most for one: 2, 1 and none. A copy of a folder counts once, and what is due later not."""
    solutions = tmp_path / "course" / "solutions"
    dues = {"a3_third": "2027-05-03", "a1_first": "2027-03-01", "a2_second": "2027-04-05"}  # by date, not by name
    late_by = {"a1_first": "2027-03-04T12:00", "a2_second": "2027-04-08T12:00", "a3_third": "2027-05-06T12:00"}
    for name, due in dues.items():
        (solutions / name).mkdir(parents=True)
        (solutions / name / "assignment.toml").write_text(f"due = {due}\n", encoding="utf-8")
        for folder in (name, f"{name}_copy") if name == "a1_first" else (name,):
            out = tmp_path / "grades" / folder
            facts = HandIn(
                "canvas", "ada", handed_in=datetime.fromisoformat(late_by[name]).replace(tzinfo=BERLIN), source="x"
            )
            store.write_results(out / "ada", *result("a2_second", "ada", "40"))
            store.write_json(out / "ada" / HANDED_IN, facts.to_json())
            store.write_json(out / "run.json", {"assignment": name})
    (solutions / "course.toml").write_text(COURSE, encoding="utf-8")
    left = {}
    for name in dues:
        out = tmp_path / "grades" / name
        assert main(["--course", str(tmp_path / "course"), "report", str(out), "--quiet"]) == 0
        with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
            (row,) = csv.DictReader(file)
        left[name] = row["late_days"], row["late_submission_penalty"]
    # each is three days late; a day costs 5 of the 50 points
    assert left == {"a1_first": ("2", "5"), "a2_second": ("1", "10"), "a3_third": ("0", "15")}
