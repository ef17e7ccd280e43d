"""What a late hand-in costs: each rule by itself, worked out by hand; settings and extensions that hold a mistake."""

from __future__ import annotations

import json
import re
import shutil
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder import late, store
from autograder.cli import main
from autograder.collect.entry import HandIn
from autograder.course import CourseError
from autograder.deadline import ATTEMPTS, Deadline, LatePolicy, read_deadline
from autograder.extensions import doubts, read_extensions
from autograder.report import feedback_html, grades_csv
from autograder.results import CriterionResult, ExerciseResult, Late, RunRecord, SubmissionResult
from autograder.term import LateRules

DUE = datetime(2027, 3, 1, 22, 59, tzinfo=UTC)
HEAD = 'due = 2027-03-01T23:59:00\ntimezone = "Europe/Berlin"\n[late]\n'
DAILY = HEAD + 'unit = "day"\nrate = 10\n'
HOURLY = HEAD + 'unit = "hour"\nrate = 0.5\n'


def deadline(folder: Path, text: str, course: str = "") -> Deadline:
    file = folder / "solutions" / "a1_first" / "assignment.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    (folder / "solutions" / "course.toml").write_text(course, encoding="utf-8")
    return read_deadline(file)


@pytest.mark.parametrize(
    ("rules", "late_by", "score", "off", "units"),
    [
        # of 100 possible
        (DAILY, timedelta(seconds=1), 80, 10, 1),
        (DAILY, timedelta(days=1), 80, 10, 1),
        (DAILY, timedelta(days=1, seconds=1), 80, 20, 2),
        (DAILY, timedelta(days=9), 80, 80, 9),
        (DAILY, timedelta(days=1), 7.5, 7.5, 1),
        (DAILY + 'base = "earned"\n', timedelta(days=2), 80, 16, 2),
        (DAILY + 'base = "earned"\n', timedelta(days=11), 80, 80, 11),
        (DAILY + 'base = "cap"\n', timedelta(days=2), 95, 15, 2),
        (DAILY + 'base = "cap"\n', timedelta(days=2), 80, 0, 2),
        (DAILY + 'base = "cap"\n', timedelta(days=2), 104, 24, 2),
        (DAILY + "floor = 60\n", timedelta(days=3), 80, 20, 3),
        (DAILY + "floor = 60\n", timedelta(days=3), 50, 0, 3),
        (DAILY + "floor = 60\ncutoff = { days = 3 }\n", timedelta(days=3), 80, 20, 3),
        (DAILY + "floor = 60\ncutoff = { days = 3 }\n", timedelta(days=3, seconds=1), 80, 80, 0),
        (HEAD + "cutoff = { days = 3 }\n", timedelta(days=3), 80, 0, 0),
        (HEAD + "cutoff = { days = 3 }\n", timedelta(days=3, seconds=1), 80, 80, 0),
        (DAILY + "grace = { minutes = 15 }\n", timedelta(minutes=15), 80, 0, 0),
        (DAILY + "grace = { minutes = 15 }\n", timedelta(minutes=15, seconds=1), 80, 10, 1),
        (DAILY + "grace = { hours = 5, minutes = 60 }\n", timedelta(hours=30), 80, 10, 1),
        (HOURLY, timedelta(minutes=1), 80, 0.5, 1),
        (HOURLY, timedelta(hours=7), 97.25, 3.5, 7),
        (HOURLY + 'base = "earned"\n', timedelta(hours=7), 97.25, 3.40375, 7),
        (HOURLY + 'base = "earned"\n', timedelta(hours=1), 33.333333333, 0.166666666, 1),
        (HEAD + "", timedelta(days=30), 80, 0, 0),
    ],
)
def test_a_rule_takes_what_it_says(
    tmp_path: Path, rules: str, late_by: timedelta, score: float, off: float, units: int
) -> None:
    found = late.apply(deadline(tmp_path, rules), DUE + late_by, 0, score, 100)
    assert found is not None
    assert (found.points_off, found.units, found.days) == (off, units, 0)
    assert found.sentence.startswith("Handed in ")
    assert (f"(−{off} points)" in found.sentence) == (off > 0)


@pytest.mark.parametrize(
    ("more", "late_by", "left", "days", "off"),
    [
        ("days = 4\n", timedelta(hours=1), 4, 1, 0),
        ("days = 4\n", timedelta(days=3), 4, 3, 0),
        ("days = 4\n", timedelta(days=3), 2, 2, 10),
        ("days = 4\n", timedelta(days=3), 0, 0, 30),
        ("days = 4\nmax_days = 2\n", timedelta(days=3), 4, 2, 10),
        ("days = 4\nmax_days = 2\ngrace = { hours = 1 }\n", timedelta(days=3, hours=1), 4, 2, 10),
        ("days = 4\nmax_days = 2\ncutoff = { days = 2 }\n", timedelta(days=2, seconds=1), 4, 0, 80),
        ('days = 4\nunit = "hour"\n', timedelta(days=4, minutes=61), 4, 4, 20),
    ],
)
def test_free_days_are_spent_first(
    tmp_path: Path, more: str, late_by: timedelta, left: int, days: int, off: float
) -> None:
    unit = "" if "unit" in more else 'unit = "day"\n'
    rules = deadline(tmp_path, HEAD.replace("[late]\n", ""), f"[late]\nrate = 10\n{unit}{more}")
    found = late.apply(rules, DUE + late_by, left, 80, 100)
    assert found is not None
    assert (found.days, found.points_off) == (days, off)
    assert late.days_spent(rules, DUE + late_by, left) == days


def test_on_time_nothing_is_said(tmp_path: Path) -> None:
    rules = deadline(tmp_path, DAILY)
    for when in (DUE, DUE - timedelta(days=3), DUE.astimezone(ZoneInfo("Asia/Tokyo"))):
        assert late.apply(rules, when, 0, 80, 100) is None
    assert late.apply(Deadline(), DUE, 0, 80, 100) is None


def test_an_hour_is_an_hour_when_the_clocks_change(tmp_path: Path) -> None:
    """In Berlin, 28 March 2027 has 23 hours, and 31 October 2027 has 25."""
    berlin = ZoneInfo("Europe/Berlin")
    spring = deadline(tmp_path, DAILY.replace("2027-03-01T23:59:00", "2027-03-27T23:59:00"))
    for hour, day, days in ((23, 28, 1), (0, 29, 1), (1, 29, 2)):
        found = late.apply(spring, datetime(2027, 3, day, hour, 30, tzinfo=berlin), 0, 80, 100)
        assert found is not None
        assert found.units == days
    autumn = deadline(tmp_path, HOURLY.replace("2027-03-01T23:59:00", "2027-10-30T23:59:00"))
    found = late.apply(autumn, datetime(2027, 10, 31, 23, 59, tzinfo=berlin), 0, 80, 100)
    assert found is not None
    assert found.units == 25


@given(
    seconds=st.integers(-100_000, 2_000_000),
    score=st.integers(0, 11_000).map(lambda cents: cents / 100),
    left=st.integers(-1, 9),
    base=st.sampled_from(["possible", "earned", "cap"]),
    unit=st.sampled_from(["hour", "day"]),
    grace=st.integers(0, 100),
)
def test_later_never_costs_less_and_points_stay_between_nothing_and_all(
    tmp_path_factory: pytest.TempPathFactory, seconds: int, score: float, left: int, base: str, unit: str, grace: int
) -> None:
    course = (
        f'[late]\nrate = 7\nunit = "{unit}"\nbase = "{base}"\ngrace = {{ minutes = {grace} }}\ndays = 5\nfloor = 30\n'
    )
    rules = deadline(tmp_path_factory.mktemp("course"), HEAD.replace("[late]\n", ""), course)
    taken = []
    for later in (0, 1, 3_600, 86_400):
        found = late.apply(rules, DUE + timedelta(seconds=seconds + later), left, score, 100) or Late()
        assert 0 <= found.points_off <= score
        assert 0 <= found.days <= max(left, 0)
        assert score - found.points_off >= min(score, 30) - 1e-9
        taken.append(found.points_off)
    assert taken == sorted(taken)


def test_the_sentence_names_every_step(tmp_path: Path) -> None:
    rules = deadline(
        tmp_path,
        HEAD.replace("[late]\n", ""),
        '[late]\ngrace = { minutes = 15 }\nunit = "day"\nrate = 10\nfloor = 20\ndays = 3\nmax_days = 1\n'
        "cutoff = { days = 7 }\n",
    )
    assert [(late.apply(rules, DUE + after, 3, 80, 100) or Late()).sentence for after in (
        timedelta(minutes=5), timedelta(days=2, hours=1), timedelta(days=1), timedelta(days=7, seconds=1),
    )] == [
        "Handed in 5 minutes after 2027-03-01 23:59 CET, within the grace period of 15 minutes: nothing is taken.",
        "Handed in 2 days 1 hour after 2027-03-01 23:59 CET: the first 15 minutes are free; 1 free day spent; "
        "2 days late at 10 % of the points possible per day, down to 20 % (−20 points).",
        "Handed in 1 day after 2027-03-01 23:59 CET: the first 15 minutes are free; 1 free day spent; "
        "nothing is taken.",
        "Handed in 7 days 1 second after 2027-03-01 23:59 CET: "
        "later than 7 days after it, nothing counts (−80 points).",
    ]  # fmt: skip


def test_a_cap_says_what_still_counts(tmp_path: Path) -> None:
    rules = deadline(tmp_path, DAILY + 'base = "cap"\n')
    found = late.apply(rules, DUE + timedelta(days=2), 0, 95, 100) or Late()
    assert found.sentence.endswith(": 2 days late, so that at most 80 % of the points count (−15 points).")


def test_close_is_a_quarter_of_an_hour_after_due_grace_or_cutoff(tmp_path: Path) -> None:
    rules = deadline(tmp_path, DAILY + "cutoff = { days = 1 }\n")
    for minutes, close in ((15, True), (16, False), (1440, False), (1441, True), (1455, True), (1456, False)):
        found = late.apply(rules, DUE + timedelta(minutes=minutes), 0, 80, 100)
        assert found is not None
        assert found.close == close
    for grace, minutes, close in ((0, 15, True), (0, 16, False), (60, 30, False), (60, 61, True), (60, 76, False)):
        rules = deadline(tmp_path, HEAD + f"grace = {{ minutes = {grace} }}\n")
        found = late.apply(rules, DUE + timedelta(minutes=minutes), 0, 80, 100)
        assert found is not None
        assert found.close == close


def test_which_attempt_counts() -> None:
    early, punctual, grace, after = (DUE + timedelta(minutes=m) for m in (-60, 0, 10, 20))
    times = [early, punctual, grace, after]
    rules = {rule: Deadline(DUE, policy=LatePolicy(timedelta(minutes=15), attempt=rule)) for rule in ATTEMPTS}
    counted = {rule: late.counting(times, deadline) for rule, deadline in rules.items()}
    assert counted == {"latest": 3, "first": 0, "latest_before_due": 2}
    before_due = rules["latest_before_due"]
    assert late.counting([after, after], before_due) == 1
    assert late.counting([None, early, None], before_due) == 1
    assert late.counting(times, late.extended(before_due, after)) == 3
    assert late.counting(times, Deadline(policy=before_due.policy)) == 3


def submission() -> SubmissionResult:
    criteria = (CriterionResult("values", 80, True), CriterionResult("errors", 20, False, "Far off."))
    return SubmissionResult("ada", "a1_first", "First", (ExerciseResult("main", "topic", "failed", criteria),))


def test_without_a_platforms_time_nothing_is_taken(tmp_path: Path) -> None:
    rules = LateRules(deadline(tmp_path, DAILY), (), {}, (), ())
    old, new = RunRecord(newest="2027-02-01T00:00:00+00:00"), RunRecord(newest="2027-05-01T00:00:00+00:00")
    by_file = (
        "Handed in after 2027-03-01 23:59 CET, by the date of its newest file: nothing is taken, since no platform "
    )
    marked = "The platform marks it as late, and tells no time: nothing is taken."
    for record, hand_in, sentence in (
        (old, None, ""),
        (RunRecord(), None, ""),
        (new, None, by_file + "tells the time."),
        (new, HandIn("canvas", "ada", late=False, source="x"), ""),
        (old, HandIn("canvas", "ada", late=True, source="x"), marked),
        (new, HandIn("canvas", "ada"), ""),
        (new, HandIn("canvas", "ada", handed_in=DUE, source="x"), ""),
    ):
        result = rules.apply(submission(), record, hand_in)
        assert (result.score, " ".join(result.remarks)) == (80, sentence)
    without_due = LateRules(Deadline(), (), {}, (), ())
    marked = "The platform marks it as late, and the assignment has no due: nothing is taken."
    for late_mark, sentence in ((True, marked), (False, ""), (None, "")):
        hand_in = HandIn("canvas", "ada", handed_in=DUE, late=late_mark, source="x")
        assert " ".join(without_due.apply(submission(), new, hand_in).remarks) == sentence


def test_points_before_and_after_are_shown(tmp_path: Path) -> None:
    rules = LateRules(deadline(tmp_path, DAILY), (), {}, (), ())
    when = HandIn("canvas", "ada", handed_in=DUE + timedelta(days=2), source="x")
    result = rules.apply(submission(), RunRecord(), when)
    assert (result.raw_score, result.score) == (80, 60)
    assert rules.apply(result, RunRecord(), when) == result  # applied anew, not once more
    data = store.to_gradescope(result)
    assert (data["score"], data["extra_data"]["raw_score"]) == (60, 80)
    assert data["tests"][-1]["name"] == "late: 80 points before, 60 after"
    assert data["tests"][-1]["score"] == -20
    assert result.late is not None
    assert data["output"] == data["tests"][-1]["output"] == result.late.sentence
    assert store.from_gradescope(data) == result
    assert "80 points before the late rules, 60 after them." in feedback_html(result)
    assert "2 days late at 10 % of the points possible per day" in feedback_html(result)
    assert grades_csv([result]).splitlines()[1].startswith('"ada",60,100,80,80,20,0,"graded","Handed in 2 days after')


def test_what_was_written_before_there_were_late_rules_is_read() -> None:
    data = store.to_gradescope(submission())
    data["extra_data"].update(schema=1)
    del data["extra_data"]["late"], data["extra_data"]["raw_score"]
    assert store.from_gradescope(data) == submission()


MISTAKES = {
    "grace = 6": "late.grace is 6, not a duration such as { hours = 6 }",
    "grace = {}": "late.grace is a table, not a duration such as { hours = 6 }",
    'grace = "6 h"': 'late.grace is "6 h", not a duration such as { hours = 6 }',
    "grace = { hour = 6 }": "late.grace.hour: there is no such unit of time (do you mean hours?); "
    "there are days, hours, minutes",
    "grace = { hours = 0.5 }": "late.grace.hours is 0.5, not a whole number from 0 to 10000",
    "grace = { hours = -1 }": "late.grace.hours is -1, not a whole number from 0 to 10000",
    "grac = { hours = 6 }": "late.grac: there is no such setting (do you mean grace?); there are grace, unit, rate, "
    "base, floor, cutoff, days, max_days, attempt",
    'unit = "week"\nrate = 1': "late.unit = week: there is no such unit; there are hour, day",
    "unit = 1": 'late.unit is 1, not a text such as "hour"',
    'unit = "day"': "late.unit is set without late.rate: nothing is taken",
    'unit = "day"\nrate = "10 %"': 'late.rate is "10 %", not a percentage from 0 to 100, with at most 4 decimals',
    'unit = "day"\nrate = 101': "late.rate is 101, not a percentage from 0 to 100, with at most 4 decimals",
    'unit = "day"\nrate = true': "late.rate is true, not a percentage from 0 to 100, with at most 4 decimals",
    "rate = 10": "late.rate is set without late.unit, which is hour or day",
    'unit = "day"\nrate = 10\nbase = "max"': "late.base = max: there is no such base; there are possible, earned, cap",
    "floor = 10": "late.floor is set without late.rate: nothing is taken",
    'attempt = "best"': "late.attempt = best: there is no such attempt (do you mean latest?); "
    "there are latest, first, latest_before_due",
    "cutoff = { hours = 1 }\ngrace = { hours = 2 }": "late.cutoff is shorter than late.grace",
    "max_days = 2": "late.max_days is set without late.days, the free days of the term in course.toml",
}
COURSE_MISTAKES = {
    "days = 3": "late.days is set without late.rate: nothing is taken",
    'days = 3\nmax_days = 4\nrate = 1\nunit = "day"': "late.max_days is 4, more than late.days, which is 3",
    'days = 3\nmax_days = 3\nrate = 1\nunit = "day"\ncutoff = { days = 2 }': "late.cutoff comes before late.max_days "
    "are over",
}


@pytest.mark.parametrize(("text", "sentence"), MISTAKES.items(), ids=MISTAKES.values())
def test_a_mistake_in_the_policy_is_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    for name in ("assignment.toml", "course.toml"):
        with pytest.raises(CourseError) as caught:
            deadline(tmp_path, *((HEAD + text,) if name == "assignment.toml" else ("", f"[late]\n{text}")))
        file = tmp_path / "solutions" / ("a1_first/assignment.toml" if name == "assignment.toml" else name)
        assert str(caught.value) == f"{file}: {sentence}."


@pytest.mark.parametrize(("text", "sentence"), COURSE_MISTAKES.items(), ids=COURSE_MISTAKES.values())
def test_a_mistake_in_the_free_days_is_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(CourseError) as caught:
        deadline(tmp_path, "", f"[late]\n{text}")
    assert str(caught.value) == f"{tmp_path / 'solutions' / 'course.toml'}: {sentence}."


@pytest.mark.parametrize(
    ("assignment", "course", "where", "sentence"),
    [
        ("[late]\ndays = 3\n", "", "a1_first/assignment.toml", "late.days is for the whole term"),
        ("late = 3\n", "", "a1_first/assignment.toml", "late is 3, not a table [late]"),
        ("", "due = 2027-03-01\n", "course.toml", "due: there is no such setting; there are timezone, late, gradebook"),
        ("", "late = []\n", "course.toml", "late is a list, not a table [late]"),
        ("", "late\n", "course.toml", "it is not valid TOML: Expected '='"),
        ('timezone = "Berlin"\n', "", "a1_first/assignment.toml", 'timezone is "Berlin", not the IANA name'),
        ("", 'timezone = "Europe"\n', "course.toml", 'timezone is "Europe", not the IANA name of a time zone'),
        ("", "timezone = 1\n", "course.toml", "timezone is 1, not the IANA name of a time zone"),
        ("", 'timezone = "../x"\n', "course.toml", 'timezone is "../x", not the IANA name of a time zone'),
        ("", 'timezone = ""\n', "course.toml", 'timezone is "", not the IANA name of a time zone'),
        ("[late]\ncutoff = { hours = 1 }\n", "[late]\ngrace = { hours = 2 }\n", "a1_first/assignment.toml", "late.cut"),
    ],
)  # fmt: skip
def test_a_mistake_names_the_file_that_holds_it(
    tmp_path: Path, assignment: str, course: str, where: str, sentence: str
) -> None:
    with pytest.raises(CourseError) as caught:
        deadline(tmp_path, assignment, course)
    assert str(caught.value).startswith(f"{tmp_path / 'solutions' / where}: {sentence}")


def test_an_assignment_replaces_single_keys_of_the_course(tmp_path: Path) -> None:
    course = 'timezone = "Europe/Berlin"\n[late]\ngrace = { hours = 6 }\nunit = "day"\nrate = 10\ndays = 3\n'
    found = deadline(tmp_path, "due = 2027-03-01\n[late]\nrate = 0\n", course)
    assert found.due == datetime(2027, 3, 1, 23, 59, 59, 999_999, tzinfo=ZoneInfo("Europe/Berlin"))
    assert (found.policy.grace, found.policy.unit, found.policy.rate) == (timedelta(hours=6), "day", 0)
    abroad = deadline(tmp_path, 'due = 2027-03-01T12:00:00\ntimezone = "Asia/Tokyo"\n', course)
    assert abroad.due == datetime(2027, 3, 1, 3, tzinfo=UTC)
    offset = deadline(tmp_path, "due = 2027-03-01T12:00:00-08:00\n", course)
    assert offset.due == datetime(2027, 3, 1, 20, tzinfo=UTC)


def test_the_examples_of_the_course_are_settings(tmp_path: Path) -> None:
    text = (Path(__file__).parents[1] / "solutions" / "course.toml").read_text(encoding="utf-8")
    assert deadline(tmp_path, "", text) == Deadline()
    found = deadline(tmp_path, "", re.sub(r"(?m)^# (?=\[|\w+ = )", "", text))
    days = {"days": 3, "max_days": 2, "cutoff": timedelta(days=7)}
    assert found.policy == LatePolicy(timedelta(minutes=15), "day", Decimal(10), **days)
    assert found.timezone == ZoneInfo("Europe/Berlin")


def extensions(folder: Path, text: str, rules: Deadline) -> list[tuple[str, str]]:
    file = folder / "extensions.csv"
    file.write_text(f"student,until,reason\n{text}", encoding="utf-8")
    return [(e.student, e.until.isoformat()) for e in read_extensions(file, rules)]


def test_extensions_are_read(tmp_path: Path) -> None:
    rules = deadline(tmp_path, DAILY)
    text = "ada,2027-03-05T12:00,ill\nbob , 2027-03-05 12:00 ,\ncyd,2027-03-05,\neve,2027-03-05T12:00Z,\n"
    assert extensions(tmp_path, text, rules) == [
        ("ada", "2027-03-05T12:00:00+01:00"),
        ("bob", "2027-03-05T12:00:00+01:00"),
        ("cyd", "2027-03-05T23:59:59.999999+01:00"),
        ("eve", "2027-03-05T13:00:00+01:00"),
    ]
    assert read_extensions(tmp_path / "none.csv", rules) == []


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ("ada,soon,", "line 2: until is 'soon', not a date and time such as 2027-04-26T23:59:00+02:00"),
        ("ada,,", "line 2: until is '', not a date and time such as 2027-04-26T23:59:00+02:00"),
        ("ada,0001-01-01,", "line 2: until is 0001-01-01, and not in the years 1971 to 9998"),
        ("ada,2027-03-05,ill, and tired", "line 2 has a field too many"),
        ("ada,2027-03-05T12:00,", "line 2: until is 2027-03-05 12:00:00, without an offset such as +02:00"),
    ],
)
def test_a_mistake_in_the_extensions_names_the_line(tmp_path: Path, row: str, sentence: str) -> None:
    rules = deadline(tmp_path, "due = 2027-03-01T23:59:00+01:00\n")
    with pytest.raises(CourseError) as caught:
        extensions(tmp_path, f"{row}\n", rules)
    assert str(caught.value).startswith(f"{tmp_path / 'extensions.csv'}, {sentence}")


def test_every_mistake_in_the_extensions_is_said_at_once(tmp_path: Path) -> None:
    rules = deadline(tmp_path, "due = 2027-03-01T23:59:00+01:00\n")
    with pytest.raises(CourseError) as caught:
        extensions(tmp_path, "ada,soon,\nbob,2027-03-05T23:59:00+01:00,\ncyd,2027-03-05,ill, and tired\n", rules)
    assert [line.partition(":")[0].partition(", ")[2] for line in str(caught.value).splitlines()] == [
        "line 2",
        "line 4 has a field too many",
    ]


def test_extensions_that_may_not_be_meant_are_said(tmp_path: Path) -> None:
    rules = deadline(tmp_path, DAILY)
    file = tmp_path / "extensions.csv"
    file.write_text(
        "student,until,reason\nada,2027-03-05,\nada,2027-03-06,\nnobody,2027-03-05,\nbob,2027-02-05T12:00,\n",
        encoding="utf-8",
    )
    found = read_extensions(file, rules)
    assert list(doubts(found, {"ada", "bob"}, rules)) == [
        "extensions.csv: 'ada' has 2 rows, of which the last counts.",
        "extensions.csv: there is no student 'nobody'.",
        "extensions.csv: bob has until 2027-02-05 12:00 CET, which is not after due and gives no time.",
    ]
    applied = LateRules(rules, tuple(found), {}, (), ())
    when = HandIn("canvas", "ada", handed_in=datetime(2027, 3, 6, 12, tzinfo=UTC), source="x")
    assert applied.apply(submission(), RunRecord(), when).late is None
    assert applied.of("bob").due == DUE
    assert list(doubts(found[:1], {"ada"}, Deadline())) == [
        "extensions.csv: ada has an extension, and the assignment has no due."
    ]


ROOT = Path(__file__).parents[1]
RIGHT = """
import numpy as np
def convolve(x, h):
    y = np.zeros(len(x) + len(h) - 1)
    for k, s in enumerate(x):
        y[k : k + len(h)] += s * h
    return y
"""


@pytest.mark.slow
def test_from_a_platforms_export_to_points(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ada is on time; of Bob's two attempts the punctual one counts; Cyd is a day late, and so is Dan, who may be."""
    solutions = tmp_path / "course" / "solutions"
    shutil.copytree(ROOT / "solutions", solutions, ignore=shutil.ignore_patterns("__pycache__"))
    (solutions / "course.toml").write_text(
        'timezone = "Europe/Berlin"\n[late]\nunit = "day"\nrate = 0.25\nattempt = "latest_before_due"\n',
        encoding="utf-8",
    )
    file = solutions / "a1_convolution" / "assignment.toml"
    file.write_text(f"due = 2027-03-01T23:59:00\n{file.read_text(encoding='utf-8')}", encoding="utf-8")
    told = ""
    for number, (who, day, source) in enumerate(
        [("ada", 1, RIGHT), ("bob", 1, RIGHT), ("bob", 3, "x = 1\n"), ("cyd", 2, RIGHT), ("dan", 2, RIGHT)]
    ):
        folder = tmp_path / "export" / f"submission_{number}"
        folder.mkdir(parents=True)
        (folder / "convolution.py").write_text(source, encoding="utf-8")
        told += f"submission_{number}:\n  :submitters:\n  - :name: {who}\n    :sid: {who}\n    :email: {who}@x.org\n"
        told += f"  :created_at: 2027-03-0{day} 12:00:00 +01:00\n"
    (tmp_path / "export" / "submission_metadata.yml").write_text(told, encoding="utf-8")
    out = tmp_path / "out"
    out.mkdir()
    (out / "extensions.csv").write_text("student,until,reason\ndan,2027-03-02,ill\n", encoding="utf-8")
    command = ["--course", str(tmp_path / "course"), "grade", "a1", str(tmp_path / "export"), "-o", str(out), "--json"]
    assert main(command) == 0
    printed = capsys.readouterr()
    assert "1 with several attempts; latest before due taken" in printed.err
    data = json.loads(printed.out)
    points = {row["student"]: (row["raw_score"], row["score"]) for row in data["results"]}
    full = points["ada"][0]
    assert full > 0
    assert points == {"ada": (full, full), "bob": (full, full), "cyd": (full, full - 0.25), "dan": (full, full)}
    before = (out / "cyd" / "run.json").read_bytes()
    (solutions / "course.toml").write_text('timezone = "Europe/Berlin"\n', encoding="utf-8")
    assert main([*command[:2], "report", str(out), "--json"]) == 0
    (cyd,) = [row for row in json.loads(capsys.readouterr().out)["results"] if row["student"] == "cyd"]
    assert (cyd["score"], cyd["late"]["points_off"]) == (full, 0)
    assert main(command) == 0
    assert (out / "cyd" / "run.json").read_bytes() == before  # not graded again
